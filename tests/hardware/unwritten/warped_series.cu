/*
[kernel]
title   = "Dynamic time warping of short series within a band of 32, a warp for each pair, the band along its lanes"

[parameters]
pairs = { default = 2112 }

[buffers]
first = { type = "f32", length = "pairs * 192", fill = "random", seed = "1607" }
second = { type = "f32", length = "pairs * 224", fill = "random", seed = "1608" }
distances = { type = "f32", length = "pairs", fill = "zero" }

[launch]
arguments = ["first", "second", "distances"]
grid  = ["pairs // 4"]
block = ["128"]
*/
extern "C" __global__ void warped_series(const float* __restrict__ first, const float* __restrict__ second, float* __restrict__ distances) {
    const int pair = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    const float far = 1e30f;
    float cost = lane == 0 ? 0 : far;
    for (int i = 0; i < 192; ++i) {
        const float x = first[pair * 192 + i], y = second[pair * 224 + i + lane];
        const float step = fabsf(x - y);
        float above = __shfl_down_sync(0xffffffffu, cost, 1);
        if (lane == 31) above = far;
        float best = fminf(cost, above) + step;
        // What comes from the left in the same row, by a scan of sums and minima.
        float sum = step;
        for (int offset = 1; offset < 32; offset *= 2) {
            const float other = __shfl_up_sync(0xffffffffu, best, offset), part = __shfl_up_sync(0xffffffffu, sum, offset);
            if (lane >= offset) {
                best = fminf(best, other + sum);
                sum += part;
            }
        }
        cost = best;
    }
    if (lane == 16) distances[pair] = cost;
}
