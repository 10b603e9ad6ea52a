/*
[kernel]
title   = "Gift wrapping: each block finds, for one point, the point that has all others to its left"

[parameters]
points = { default = 2048 }
wrapped = { default = 264 }

[buffers]
x = { type = "f32", length = "points", fill = "random", seed = "1921" }
y = { type = "f32", length = "points", fill = "random", seed = "1922" }
next = { type = "u32", length = "wrapped", fill = "zero" }

[launch]
arguments = ["x", "y", "next", "points"]
grid  = ["wrapped"]
block = ["256"]
*/
__device__ bool is_right(const float* x, const float* y, int from, int best, int other) {
    const float ax = x[best] - x[from], ay = y[best] - y[from];
    const float bx = x[other] - x[from], by = y[other] - y[from];
    const float cross = ax * by - ay * bx;
    return cross < 0.0f || (cross == 0.0f && ax * ax + ay * ay < bx * bx + by * by);
}
extern "C" __global__ void hull_next(const float* __restrict__ x, const float* __restrict__ y,
                                     unsigned* __restrict__ next, int points) {
    __shared__ int best[256];
    const int from = blockIdx.x * 7 % points;
    int mine = (from + 1 + threadIdx.x) % points;
    for (int other = threadIdx.x; other < points; other += 256)
        if (other != from && is_right(x, y, from, mine, other)) mine = other;
    best[threadIdx.x] = mine;
    __syncthreads();
    for (int step = 128; step > 0; step >>= 1) {
        if (threadIdx.x < step) {
            const int other = best[threadIdx.x + step];
            if (other != from && is_right(x, y, from, best[threadIdx.x], other)) best[threadIdx.x] = other;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) next[blockIdx.x] = best[0];
}
