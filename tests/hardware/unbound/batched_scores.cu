/*
[kernel]
title   = "Scores of attention on tensor cores: queries times keys of 64 x 64 for each head, scaled and masked"

[parameters]
heads = { default = 264 }

[buffers]
queries = { type = "f16", length = "heads * 128 * 64", fill = "random", seed = "1723" }
keys = { type = "f16", length = "heads * 128 * 64", fill = "random", seed = "1724" }
scores = { type = "f32", length = "heads * 128 * 128", fill = "zero" }

[launch]
arguments = ["queries", "keys", "scores"]
grid  = ["2", "2", "heads"]
block = ["128"]
*/
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void batched_scores(const __half* __restrict__ queries, const __half* __restrict__ keys, float* __restrict__ scores) {
    __shared__ float staged[64 * 68];
    const int warp = threadIdx.x / 32, head = blockIdx.z, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    const __half* q = queries + (head * 128 + row0 + warp * 16) * 64;
    const __half* from = keys + (head * 128 + column0) * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[4];
    for (int j = 0; j < 4; ++j) wmma::fill_fragment(sums[j], 0.0f);
#pragma unroll
    for (int k = 0; k < 64; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
        wmma::load_matrix_sync(left, q + k, 64);
        for (int j = 0; j < 4; ++j) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
            wmma::load_matrix_sync(right, from + j * 16 * 64 + k, 64);
            wmma::mma_sync(sums[j], left, right, sums[j]);
        }
    }
    for (int j = 0; j < 4; ++j) wmma::store_matrix_sync(staged + warp * 16 * 68 + j * 16, sums[j], 68, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < 64 * 64; i += 128) {
        const int row = row0 + i / 64, column = column0 + i % 64;
        scores[(head * 128 + row) * 128 + column] = column <= row ? 0.125f * staged[i / 64 * 68 + i % 64] : -1e9f;
    }
}
