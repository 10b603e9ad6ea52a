/*
[kernel]
title   = "Tensor-core product of half-precision matrices, tiles of 64 by 64 staged in shared memory"

[parameters]
M = { default = 768 }
N = { default = 512 }
K = { default = 512 }

[buffers]
A = { type = "f16", length = "M * K", fill = "random", seed = "115" }
B = { type = "f16", length = "K * N", fill = "random", seed = "116" }
C = { type = "f32", length = "M * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "N", "K"]
grid  = ["N // 64", "M // 64"]
block = ["128"]
*/
#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void gemm_wmma_staged(const __half* __restrict__ A, const __half* __restrict__ B,
                                            float* __restrict__ C, int N, int K) {
    __shared__ __align__(32) __half a[64][40], b[32][72];
    const int warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 32;
    A += static_cast<size_t>(blockIdx.y) * 64 * K;
    B += blockIdx.x * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::fill_fragment(sums[i][j], 0.0f);
    for (int first = 0; first < K; first += 32) {
        for (int i = threadIdx.x; i < 256; i += 128) {
            *reinterpret_cast<uint4*>(&a[i / 4][i % 4 * 8]) =
                *reinterpret_cast<const uint4*>(&A[i / 4 * K + first + i % 4 * 8]);
            *reinterpret_cast<uint4*>(&b[i / 8][i % 8 * 8]) =
                *reinterpret_cast<const uint4*>(&B[(first + i / 8) * N + i % 8 * 8]);
        }
        __syncthreads();
        for (int k = 0; k < 32; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(left[i], &a[row + i * 16][k], 40);
                wmma::load_matrix_sync(right[i], &b[k][column + i * 16], 72);
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(&C[(blockIdx.y * 64 + row + i * 16) * N + blockIdx.x * 64 + column + j * 16],
                                    sums[i][j], N, wmma::mem_row_major);
}
