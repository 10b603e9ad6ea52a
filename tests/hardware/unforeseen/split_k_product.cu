/*
[kernel]
title   = "A matrix product whose inner dimension is split: each block has a tile of 64 x 64 and a part of the depth, and adds what it has to the result"

[parameters]
m = { default = 192 }
n = { default = 256 }
depth = { default = 4096 }
parts = { default = 16 }

[buffers]
a = { type = "f32", length = "m * depth", fill = "random", seed = "1501" }
b = { type = "f32", length = "depth * n", fill = "random", seed = "1502" }
c = { type = "f32", length = "m * n", fill = "zero" }

[launch]
arguments = ["a", "b", "c", "n", "depth", "parts"]
grid  = ["n // 64", "m // 64", "parts"]
block = ["16", "16"]
*/
extern "C" __global__ void split_k_product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                           int n, int depth, int parts) {
    __shared__ float tile_a[16][65], tile_b[16][64];
    const int thread = threadIdx.y * 16 + threadIdx.x, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    const int share = depth / parts, begin = blockIdx.z * share;
    float sum[4][4] = {};
    for (int k0 = begin; k0 < begin + share; k0 += 16) {
#pragma unroll
        for (int i = thread; i < 1024; i += 256) {
            tile_a[i % 16][i / 16] = a[(row0 + i / 16) * depth + k0 + i % 16];
            tile_b[i / 64][i % 64] = b[(k0 + i / 64) * n + column0 + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            float left[4], right[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                left[i] = tile_a[k][threadIdx.y + 16 * i];
                right[i] = tile_b[k][threadIdx.x + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) atomicAdd(&c[(row0 + threadIdx.y + 16 * i) * n + column0 + threadIdx.x + 16 * j], sum[i][j]);
}
