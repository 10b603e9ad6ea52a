/*
[kernel]
title   = "Matrix product, tiles of 128 x 128, next tile loaded while this one is used"

[parameters]
M = { default = 1536 }
N = { default = 1024 }
K = { default = 256 }

[buffers]
A = { type = "f32", length = "M * K", fill = "random", seed = "1" }
B = { type = "f32", length = "K * N", fill = "random", seed = "2" }
C = { type = "f32", length = "M * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "N", "K"]
grid  = ["N // 128", "M // 128"]
block = ["256"]
*/
extern "C" __global__ void __launch_bounds__(256)
    sgemm_blocked(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int N,
                  int K) {
    constexpr int tile = 128, depth = 8;
    __shared__ float a_tile[depth][tile + 4], b_tile[depth][tile];
    const int t = threadIdx.x, column = t % 16 * 4, row = t / 16 * 4;
    const int a_row = t / 2, a_column = t % 2 * 4, b_row = t / 32, b_column = t % 32 * 4;
    A += static_cast<size_t>(blockIdx.y) * tile * K;
    B += blockIdx.x * tile;
    float sums[8][8] = {};
    float4 a = *reinterpret_cast<const float4*>(&A[a_row * K + a_column]);
    float4 b = *reinterpret_cast<const float4*>(&B[b_row * N + b_column]);
    for (int k = 0; k < K; k += depth) {
        a_tile[a_column + 0][a_row] = a.x;
        a_tile[a_column + 1][a_row] = a.y;
        a_tile[a_column + 2][a_row] = a.z;
        a_tile[a_column + 3][a_row] = a.w;
        *reinterpret_cast<float4*>(&b_tile[b_row][b_column]) = b;
        __syncthreads();
        if (k + depth < K) {
            a = *reinterpret_cast<const float4*>(&A[a_row * K + k + depth + a_column]);
            b = *reinterpret_cast<const float4*>(&B[(k + depth + b_row) * N + b_column]);
        }
#pragma unroll
        for (int i = 0; i < depth; ++i) {
            float x[8], y[8];
            *reinterpret_cast<float4*>(&y[0]) = *reinterpret_cast<float4*>(&a_tile[i][row]);
            *reinterpret_cast<float4*>(&y[4]) = *reinterpret_cast<float4*>(&a_tile[i][row + 64]);
            *reinterpret_cast<float4*>(&x[0]) = *reinterpret_cast<float4*>(&b_tile[i][column]);
            *reinterpret_cast<float4*>(&x[4]) = *reinterpret_cast<float4*>(&b_tile[i][column + 64]);
            for (int m = 0; m < 8; ++m)
                for (int n = 0; n < 8; ++n) sums[m][n] += y[m] * x[n];
        }
        __syncthreads();
    }
    for (int m = 0; m < 8; ++m)
        for (int half = 0; half < 2; ++half) {
            const size_t at = static_cast<size_t>(blockIdx.y * tile + row + m % 4 + m / 4 * 64) * N +
                              blockIdx.x * tile + column + half * 64;
            *reinterpret_cast<float4*>(&C[at]) = make_float4(sums[m][half * 4], sums[m][half * 4 + 1],
                                                             sums[m][half * 4 + 2], sums[m][half * 4 + 3]);
        }
}
