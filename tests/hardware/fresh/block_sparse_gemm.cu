/*
[kernel]
title   = "Block-sparse matrix times dense matrix: blocks of 16 x 16, a tile of 16 x 64 per block of threads"

[parameters]
rows = { default = 2048 }
N = { default = 512 }
per_row = { default = 12 }

[buffers]
columns = { type = "u32", length = "rows // 16 * per_row", fill = "random", below = "rows // 16", seed = "301" }
values = { type = "f32", length = "rows * 16 * per_row", fill = "random", seed = "302" }
dense = { type = "f32", length = "rows * N", fill = "random", seed = "303" }
out = { type = "f32", length = "rows * N", fill = "zero" }

[launch]
arguments = ["columns", "values", "dense", "out", "N", "per_row"]
grid  = ["N // 64", "rows // 16"]
block = ["64", "4"]
*/
extern "C" __global__ void block_sparse_gemm(const unsigned* __restrict__ columns, const float* __restrict__ values,
                                             const float* __restrict__ dense, float* __restrict__ out, int N,
                                             int per_row) {
    __shared__ float block[16][16];
    __shared__ float tile[16][64];
    const int x = threadIdx.x, y = threadIdx.y, thread = y * 64 + x;
    float sums[4] = {};
    for (int b = 0; b < per_row; ++b) {
        const int at = blockIdx.y * per_row + b;
        const unsigned column = columns[at];
        block[thread / 16][thread % 16] = values[at * 256 + thread];
        for (int k = y; k < 16; k += 4) tile[k][x] = dense[(column * 16 + k) * N + blockIdx.x * 64 + x];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k)
            for (int i = 0; i < 4; ++i) sums[i] += block[y * 4 + i][k] * tile[k][x];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) out[(blockIdx.y * 16 + y * 4 + i) * N + blockIdx.x * 64 + x] = sums[i];
}
