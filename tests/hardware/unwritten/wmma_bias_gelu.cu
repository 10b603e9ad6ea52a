/*
[kernel]
title   = "A product on tensor cores with a bias and GELU behind it, tiles of 64 x 64 by four warps"

[parameters]
rows = { default = 1408 }
columns = { default = 768 }
depth = { default = 384 }

[buffers]
a = { type = "f16", length = "rows * depth", fill = "random", seed = "1626" }
b = { type = "f16", length = "depth * columns", fill = "random", seed = "1627" }
bias = { type = "f32", length = "columns", fill = "random", seed = "1628" }
out = { type = "f16", length = "rows * columns", fill = "zero" }

[launch]
arguments = ["a", "b", "bias", "out", "columns", "depth"]
grid  = ["columns // 64", "rows // 64"]
block = ["128"]
*/
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void wmma_bias_gelu(const __half* __restrict__ a, const __half* __restrict__ b, const float* __restrict__ bias,
                                          __half* __restrict__ out, int columns, int depth) {
    __shared__ float staged[64 * 64];
    const int warp = threadIdx.x / 32, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[4];
    for (int j = 0; j < 4; ++j) wmma::fill_fragment(sums[j], 0.0f);
    for (int k = 0; k < depth; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
        wmma::load_matrix_sync(left, a + (row0 + warp * 16) * depth + k, depth);
        for (int j = 0; j < 4; ++j) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
            wmma::load_matrix_sync(right, b + k * columns + column0 + j * 16, columns);
            wmma::mma_sync(sums[j], left, right, sums[j]);
        }
    }
    for (int j = 0; j < 4; ++j) wmma::store_matrix_sync(staged + warp * 16 * 64 + j * 16, sums[j], 64, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < 64 * 64; i += 128) {
        const float v = staged[i] + bias[column0 + i % 64];
        const float t = 0.79788456f * (v + 0.044715f * v * v * v);
        out[(row0 + i / 64) * columns + column0 + i % 64] = __float2half(v / (1.0f + __expf(-2.0f * t)));
    }
}
