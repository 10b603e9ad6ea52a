/*
[kernel]
title   = "Dynamic time warping of short series: one warp per pair, a diagonal at a time, neighbours by shuffles"

[parameters]
pairs = { default = 8448 }

[buffers]
a = { type = "f32", length = "pairs * 32", fill = "random", seed = "821" }
b = { type = "f32", length = "pairs * 32", fill = "random", seed = "822" }
cost = { type = "f32", length = "pairs", fill = "zero" }

[launch]
arguments = ["a", "b", "cost", "pairs"]
grid  = ["ceil_div(pairs, 4)"]
block = ["128"]
*/
extern "C" __global__ void warp_dtw(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ cost,
                                    int pairs) {
    const int pair = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (pair >= pairs) return;
    const float mine = a[pair * 32 + lane];
    const float theirs = b[pair * 32 + lane];
    float last = 1e30f, before = 1e30f;
    for (int diagonal = 0; diagonal < 63; ++diagonal) {
        const int column = diagonal - lane;
        const float other = __shfl_sync(0xffffffffu, theirs, column & 31);
        float up = __shfl_up_sync(0xffffffffu, last, 1);
        float across = __shfl_up_sync(0xffffffffu, before, 1);
        if (lane == 0) up = across = column == 0 ? 0.0f : 1e30f;
        before = last;
        if (column >= 0 && column < 32) {
            const float apart = mine - other;
            last = apart * apart + fminf(fminf(last, up), across);
        }
    }
    if (lane == 31) cost[pair] = last;
}
