/*
[kernel]
title   = "Nine-point stencil through a shared tile with a border"

[parameters]
n = { default = 2048 }

[buffers]
in = { type = "f32", length = "n * n", fill = "random", seed = "14" }
out = { type = "f32", length = "n * n", fill = "zero" }

[launch]
arguments = ["in", "out", "n"]
grid  = ["n // 32", "n // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void stencil_tiled(const float* in, float* out, int n) {
    __shared__ float tile[10][34];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256) {
        const int column = min(max(int(blockIdx.x) * 32 + i % 34 - 1, 0), n - 1);
        const int row = min(max(int(blockIdx.y) * 8 + i / 34 - 1, 0), n - 1);
        tile[i / 34][i % 34] = in[row * n + column];
    }
    __syncthreads();
    float sum = 0;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * n + x] = sum / 9;
}
