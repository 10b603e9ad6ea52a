/*
[kernel]
title   = "A matrix times its own transposed, tiles of 32 x 32 in shared memory, four sums for each thread"

[parameters]
n = { default = 640 }
depth = { default = 256 }

[buffers]
a = { type = "f32", length = "n * depth", fill = "random", seed = "1727" }
c = { type = "f32", length = "n * n", fill = "zero" }

[launch]
arguments = ["a", "c", "n", "depth"]
grid  = ["n // 32", "n // 32"]
block = ["32", "8"]
*/
extern "C" __global__ void syrk_tiled(const float* __restrict__ a, float* __restrict__ c, int n, int depth) {
    if (blockIdx.x > blockIdx.y) return;
    __shared__ float left[32][33], right[32][33];
    const int x = threadIdx.x, row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    float sum[4] = {0, 0, 0, 0};
    for (int k0 = 0; k0 < depth; k0 += 32) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int y = threadIdx.y + 8 * j;
            left[y][x] = a[(row0 + y) * depth + k0 + x];
            right[y][x] = a[(column0 + y) * depth + k0 + x];
        }
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 32; ++k) {
            const float r = right[x][k];
#pragma unroll
            for (int j = 0; j < 4; ++j) sum[j] += left[threadIdx.y + 8 * j][k] * r;
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) c[(row0 + threadIdx.y + 8 * j) * n + column0 + x] = sum[j];
}
