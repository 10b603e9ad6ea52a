/*
[kernel]
title   = "Matrix product with double-buffered tiles"
subject = "Tiling and reuse"
lesson  = "cp.async loads the next tile while the block uses the current one: the same 2 N^3 / TILE global loads as matmul_tiled, but no warp waits for them immediately."
views   = ["timeline", "pipeline", "sectors", "banks"]

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
#include <cuda_pipeline.h>

#ifndef TILE
#define TILE 16
#endif

// As matmul_tiled, with two buffers per tile. The last argument of a copy is the number of bytes to fill with
// zeros instead: all four, past the edges of the matrices.
extern "C" __global__ void matmul_double_buffered(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float A_tile[2][TILE][TILE];
    __shared__ float B_tile[2][TILE][TILE];

    const int row = blockIdx.y * TILE + threadIdx.y;
    const int column = blockIdx.x * TILE + threadIdx.x;
    const int tiles = (K + TILE - 1) / TILE;
    auto fetch = [&](int tile, int buffer) {
        const int A_column = tile * TILE + threadIdx.x;
        const int B_row = tile * TILE + threadIdx.y;
        const bool in_A = row < M && A_column < K, in_B = B_row < K && column < N;
        __pipeline_memcpy_async(&A_tile[buffer][threadIdx.y][threadIdx.x], in_A ? &A[row * K + A_column] : A, 4,
                                in_A ? 0 : 4);
        __pipeline_memcpy_async(&B_tile[buffer][threadIdx.y][threadIdx.x], in_B ? &B[B_row * N + column] : B, 4,
                                in_B ? 0 : 4);
        __pipeline_commit();
    };

    float sum = 0.0f;
    fetch(0, 0);
    for (int tile = 0; tile < tiles; ++tile) {
        const int buffer = tile % 2;
        if (tile + 1 < tiles) {
            fetch(tile + 1, 1 - buffer);
            __pipeline_wait_prior(1);  // all copies except the one just started
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();  // this tile is complete

        for (int k = 0; k < TILE; ++k) {
            sum += A_tile[buffer][threadIdx.y][k] * B_tile[buffer][k][threadIdx.x];
        }
        __syncthreads();  // its buffer can be filled again
    }
    if (row < M && column < N) {
        C[row * N + column] = sum;
    }
}
