/*
[kernel]
title   = "Matrix product in double precision, tiles of 16 x 16"

[parameters]
N = { default = 512 }
K = { default = 256 }

[buffers]
A = { type = "f64", length = "N * K", fill = "random", seed = "1" }
B = { type = "f64", length = "K * N", fill = "random", seed = "2" }
C = { type = "f64", length = "N * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "N", "K"]
grid  = ["N // 16", "N // 16"]
block = ["16", "16"]
*/
extern "C" __global__ void dgemm_tiled(const double* A, const double* B, double* C, int N, int K) {
    __shared__ double a_tile[16][16], b_tile[16][17];
    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    double sum = 0;
    for (int k = 0; k < K; k += 16) {
        a_tile[threadIdx.y][threadIdx.x] = A[row * K + k + threadIdx.x];
        b_tile[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * N + column];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
        __syncthreads();
    }
    C[row * N + column] = sum;
}
