/*
[kernel]
title   = "Sweep and prune: boxes sorted by their left edge, each thread walks on while boxes begin before its own ends, and appends those that overlap"

[parameters]
boxes = { default = 16896 }

[buffers]
left = { type = "f32", length = "boxes", fill = "formula", value = "i / 8" }
width = { type = "f32", length = "boxes", fill = "random", seed = "1421" }
low = { type = "f32", length = "boxes", fill = "random", seed = "1422" }
pairs = { type = "u32", length = "boxes * 16", fill = "zero" }
found = { type = "u32", length = "1", fill = "zero" }

[launch]
arguments = ["left", "width", "low", "pairs", "found", "boxes"]
grid  = ["ceil_div(boxes, 128)"]
block = ["128"]
*/
extern "C" __global__ void sweep_pairs(const float* __restrict__ left, const float* __restrict__ width,
                                       const float* __restrict__ low, uint2* pairs, unsigned* found,
                                       int boxes) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= boxes) return;
    const float end = left[i] + 4.0f * fabsf(width[i]), bottom = low[i], top = bottom + 0.25f;
    for (int j = i + 1; j < boxes && left[j] < end; ++j) {
        const float other = low[j];
        if (other < top && other + 0.25f > bottom) {
            const unsigned at = atomicAdd(found, 1u);
            if (at < boxes * 8u) pairs[at] = make_uint2(i, j);
        }
    }
}
