/*
[kernel]
title   = "Matrix product, tiles of 32 x 32, four rows per thread"

[parameters]
M = { default = 1024 }
N = { default = 512 }
K = { default = 512 }

[buffers]
A = { type = "f32", length = "M * K", fill = "random", seed = "1" }
B = { type = "f32", length = "K * N", fill = "random", seed = "2" }
C = { type = "f32", length = "M * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "N", "K"]
grid  = ["N // 32", "M // 32"]
block = ["32", "8"]
*/
extern "C" __global__ void sgemm_columns(const float* A, const float* B, float* C, int N, int K) {
    __shared__ float a_tile[32][33], b_tile[32][33];
    const int column = blockIdx.x * 32 + threadIdx.x, first_row = blockIdx.y * 32;
    float sums[4] = {};
    for (int k = 0; k < K; k += 32) {
        for (int i = threadIdx.y; i < 32; i += 8) {
            a_tile[i][threadIdx.x] = A[(first_row + i) * K + k + threadIdx.x];
            b_tile[i][threadIdx.x] = B[(k + i) * N + column];
        }
        __syncthreads();
        for (int i = 0; i < 32; ++i) {
            const float b = b_tile[i][threadIdx.x];
            for (int r = 0; r < 4; ++r) sums[r] += a_tile[threadIdx.y + r * 8][i] * b;
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; ++r) C[(first_row + threadIdx.y + r * 8) * N + column] = sums[r];
}
