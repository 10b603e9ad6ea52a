/*
[kernel]
title   = "Product of 8-bit integer matrices with dp4a, 64 by 64 tiles, 4 by 4 sums per thread"

[parameters]
M = { default = 512 }
N = { default = 768 }
K = { default = 1024 }

[buffers]
A = { type = "u32", length = "M * K // 4", fill = "random", seed = "111", below = "4294967295" }
B = { type = "u32", length = "N * K // 4", fill = "random", seed = "112", below = "4294967295" }
C = { type = "i32", length = "M * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "N", "K // 4"]
grid  = ["N // 64", "M // 64"]
block = ["16", "16"]
*/
extern "C" __global__ void gemm_dp4a(const int* __restrict__ A, const int* __restrict__ B, int* __restrict__ C, int N,
                                     int words) {
    __shared__ int a[16][65], b[16][65];
    const int thread = threadIdx.y * 16 + threadIdx.x, word = thread % 16, line = thread / 16;
    A += blockIdx.y * 64 * words;
    B += blockIdx.x * 64 * words;
    int sums[4][4] = {};
    for (int first = 0; first < words; first += 16) {
        for (int i = 0; i < 64; i += 16) {
            a[word][line + i] = A[(line + i) * words + first + word];
            b[word][line + i] = B[(line + i) * words + first + word];
        }
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            int left[4], right[4];
            for (int i = 0; i < 4; ++i) {
                left[i] = a[k][threadIdx.y + i * 16];
                right[i] = b[k][threadIdx.x + i * 16];
            }
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) sums[i][j] = __dp4a(left[i], right[j], sums[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            C[(blockIdx.y * 64 + threadIdx.y + i * 16) * N + blockIdx.x * 64 + threadIdx.x + j * 16] = sums[i][j];
}
