/*
[kernel]
title   = "Merge of two sorted arrays: each thread finds its diagonal by bisection and merges eight"

[parameters]
n = { default = 196608 }

[buffers]
first = { type = "i32", length = "n", fill = "formula", value = "3 * i + (i * 7919) % 3" }
second = { type = "i32", length = "n", fill = "formula", value = "2 * i + i // 2 + (i * 104729) % 2" }
out = { type = "i32", length = "2 * n", fill = "zero" }

[launch]
arguments = ["first", "second", "out", "n"]
grid  = ["ceil_div(2 * n, 1024)"]
block = ["128"]
*/
extern "C" __global__ void merge_path(const int* __restrict__ first, const int* __restrict__ second,
                                      int* __restrict__ out, int n) {
    const int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (diagonal >= 2 * n) return;
    int low = max(0, diagonal - n), high = min(diagonal, n);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (first[middle] <= second[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = diagonal - low;
    for (int k = 0; k < 8; ++k) {
        const bool from_first = j >= n || (i < n && first[i] <= second[j]);
        out[diagonal + k] = from_first ? first[i++] : second[j++];
    }
}
