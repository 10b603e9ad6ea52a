/*
[kernel]
title   = "Inner nodes of a binary radix tree over sorted Morton codes, each thread searching its node's range"

[parameters]
leaves = { default = 67584 }

[buffers]
codes = { type = "u32", length = "leaves", fill = "formula", value = "i * 15887 + random(15887)", seed = "1114" }
children = { type = "i32", length = "leaves * 2", fill = "zero" }
parents = { type = "i32", length = "leaves * 2", fill = "zero" }

[launch]
arguments = ["codes", "children", "parents", "leaves"]
grid  = ["leaves // 256"]
block = ["256"]
*/
__device__ int common(const unsigned* __restrict__ codes, int count, int i, unsigned own, int j) {
    if (j < 0 || j >= count) return -1;
    const unsigned other = codes[j];
    return own == other ? 32 + __clz(i ^ j) : __clz(own ^ other);
}
extern "C" __global__ void radix_tree_nodes(const unsigned* __restrict__ codes, int2* __restrict__ children,
                                            int* __restrict__ parents, int leaves) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= leaves - 1) return;
    const unsigned own = codes[i];
    const int direction = common(codes, leaves, i, own, i + 1) > common(codes, leaves, i, own, i - 1) ? 1 : -1;
    const int least = common(codes, leaves, i, own, i - direction);
    int bound = 2;
    while (common(codes, leaves, i, own, i + bound * direction) > least) bound *= 2;
    int length = 0;
    for (int step = bound / 2; step > 0; step /= 2)
        if (common(codes, leaves, i, own, i + (length + step) * direction) > least) length += step;
    const int end = i + length * direction, prefix = common(codes, leaves, i, own, end);
    int split = 0, step = length;
    do {
        step = (step + 1) / 2;
        if (split + step < length && common(codes, leaves, i, own, i + (split + step) * direction) > prefix) split += step;
    } while (step > 1);
    const int cut = i + split * direction + min(direction, 0);
    const int left = min(i, end) == cut ? cut + leaves : cut, right = max(i, end) == cut + 1 ? cut + 1 + leaves : cut + 1;
    children[i] = make_int2(left, right);
    parents[left] = i;
    parents[right] = i;
}
