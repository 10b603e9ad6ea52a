/*
[kernel]
title   = "Points that no other point of a sample beats in all three coordinates, tile by tile until all are beaten"

[parameters]
n = { default = 67584 }

[buffers]
points = { type = "f32", length = "n * 3", fill = "random", seed = "1821" }
best = { type = "u32", length = "n", fill = "zero" }

[launch]
arguments = ["points", "best", "n"]
grid  = ["ceil_div(n, 128)"]
block = ["128"]
*/
extern "C" __global__ void skyline_points(const float* points, unsigned* best, int n) {
    __shared__ float tile[3][128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const int own = min(i, n - 1);
    const float x = points[3 * own], y = points[3 * own + 1], z = points[3 * own + 2];
    int beaten = 0;
    for (int from = 0; from < 1024; from += 128) {
        const int other = from + threadIdx.x;
        for (int c = 0; c < 3; ++c) tile[c][threadIdx.x] = points[3 * other + c];
        __syncthreads();
        for (int k = 0; k < 128 && !beaten; ++k)
            beaten = tile[0][k] > x && tile[1][k] > y && tile[2][k] > z;
        if (__syncthreads_and(beaten)) break;
    }
    if (i < n) best[i] = !beaten;
}
