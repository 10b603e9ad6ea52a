/*
[kernel]
title   = "Separable blur, the pass along rows: a tile with its halo in shared memory, 17 weights"

[parameters]
W = { default = 2048 }
H = { default = 1024 }

[buffers]
weights = { type = "f32", length = "17", fill = "random", seed = "318" }
in = { type = "f32", length = "W * H", fill = "random", seed = "319" }
out = { type = "f32", length = "W * H", fill = "zero" }

[launch]
arguments = ["in", "weights", "out", "W"]
grid  = ["W // 128", "H // 4"]
block = ["32", "4"]
*/
extern "C" __global__ void gaussian_rows(const float* __restrict__ in, const float* __restrict__ weights,
                                         float* __restrict__ out, int W) {
    __shared__ float tile[4][160];
    const int x = threadIdx.x, y = threadIdx.y, row = (blockIdx.y * 4 + y) * W, first = blockIdx.x * 128 - 16;
#pragma unroll
    for (int i = 0; i < 5; ++i) {
        const int at = first + i * 32 + x;
        tile[y][i * 32 + x] = at >= 0 && at < W ? in[row + at] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 17; ++k) sum += weights[k] * tile[y][i * 32 + x + 8 + k];
        out[row + blockIdx.x * 128 + i * 32 + x] = sum;
    }
}
