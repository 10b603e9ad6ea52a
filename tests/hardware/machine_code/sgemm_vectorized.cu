/*
[kernel]
title   = "Matrix product, 8 x 8 elements per thread, float4 loads"

[parameters]
M = { default = 256, min = 64, max = 2048, step = 64 }
N = { default = 256, min = 64, max = 2048, step = 64 }
K = { default = 128, min = 8, max = 2048, step = 8 }

[buffers]
A = { type = "f32", length = "M * K", fill = "random", seed = "1" }
B = { type = "f32", length = "K * N", fill = "random", seed = "2" }
C = { type = "f32", length = "M * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "M", "N", "K"]
grid  = ["N // 64", "M // 64"]
block = ["64"]
*/
extern "C" __global__ void sgemm_vectorized(const float* A, const float* B, float* C, int M, int N, int K) {
    constexpr int tile = 64, depth = 8, each = 8;
    __shared__ float A_tile[depth][tile];
    __shared__ float B_tile[depth][tile];
    const int column = threadIdx.x % (tile / each), row = threadIdx.x / (tile / each);
    A += blockIdx.y * tile * K;
    B += blockIdx.x * tile;
    C += blockIdx.y * tile * N + blockIdx.x * tile;
    float sums[each][each] = {};
    for (int k = 0; k < K; k += depth) {
        for (int part = threadIdx.x; part < tile * depth / 4; part += blockDim.x) {
            const int a_row = part / (depth / 4), a_column = part % (depth / 4) * 4;
            const float4 a = *reinterpret_cast<const float4*>(&A[a_row * K + k + a_column]);
            A_tile[a_column + 0][a_row] = a.x;
            A_tile[a_column + 1][a_row] = a.y;
            A_tile[a_column + 2][a_row] = a.z;
            A_tile[a_column + 3][a_row] = a.w;
            const int b_row = part / (tile / 4), b_column = part % (tile / 4) * 4;
            *reinterpret_cast<float4*>(&B_tile[b_row][b_column]) =
                *reinterpret_cast<const float4*>(&B[(k + b_row) * N + b_column]);
        }
        __syncthreads();
        for (int i = 0; i < depth; ++i) {
            float a[each], b[each];
            for (int j = 0; j < each; ++j) a[j] = A_tile[i][row * each + j];
            for (int j = 0; j < each; ++j) b[j] = B_tile[i][column * each + j];
            for (int y = 0; y < each; ++y)
                for (int x = 0; x < each; ++x) sums[y][x] += a[y] * b[x];
        }
        __syncthreads();
    }
    for (int y = 0; y < each; ++y)
        for (int x = 0; x < each; x += 4) {
            const float4 out = make_float4(sums[y][x], sums[y][x + 1], sums[y][x + 2], sums[y][x + 3]);
            *reinterpret_cast<float4*>(&C[(row * each + y) * N + column * each + x]) = out;
        }
}
