/*
[kernel]
title   = "Matrix product with shared-memory tiles"
subject = "Tiling and reuse"
lesson  = "A block loads each tile once and uses it TILE times from shared memory: 2 N^3 / TILE global loads."
views   = ["sectors", "banks", "occupancy"]

[parameters]
M    = { default = 256, min = 1, max = 2048, help = "rows of A and of C" }
N    = { default = 256, min = 1, max = 2048, help = "columns of B and of C" }
K    = { default = 256, min = 1, max = 2048, help = "columns of A, rows of B" }
TILE = { default = 16, values = [8, 16, 32], macro = true, help = "tile edge, in elements" }

[buffers]
A = { type = "f32", length = "M * K", fill = "random", seed = "1" }
B = { type = "f32", length = "K * N", fill = "random", seed = "2" }
C = { type = "f32", length = "M * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "M", "N", "K"]
grid  = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
block = ["TILE", "TILE"]
dynamic_shared_bytes = "0"

[golden.C]
tolerance = 2e-5
lua = '''
return function(i)
    local row, column, sum = i // N, i % N, 0.0
    for k = 0, K - 1 do
        sum = sum + A[row * K + k] * B[k * N + column]
    end
    return sum
end
'''
*/
#ifndef TILE
#define TILE 16
#endif

// Each block computes one tile of C. It moves along its rows of A and down its columns of B one tile at a
// time. Each thread loads one element of both tiles. After the barrier all threads use all of them. Elements
// past the edges of the matrices count as zero.
extern "C" __global__ void matmul_tiled(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float A_tile[TILE][TILE];
    __shared__ float B_tile[TILE][TILE];

    const int row = blockIdx.y * TILE + threadIdx.y;
    const int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int tile = 0; tile < (K + TILE - 1) / TILE; ++tile) {
        const int A_column = tile * TILE + threadIdx.x;
        const int B_row = tile * TILE + threadIdx.y;
        A_tile[threadIdx.y][threadIdx.x] = row < M && A_column < K ? A[row * K + A_column] : 0.0f;
        B_tile[threadIdx.y][threadIdx.x] = B_row < K && column < N ? B[B_row * N + column] : 0.0f;
        __syncthreads();  // both tiles are complete

        for (int k = 0; k < TILE; ++k) {
            sum += A_tile[threadIdx.y][k] * B_tile[k][threadIdx.x];
        }
        __syncthreads();  // all threads are done with them
    }
    if (row < M && column < N) {
        C[row * N + column] = sum;
    }
}
