/*
[kernel]
title   = "Matrix product with V x V register tiles"
subject = "Tiling and reuse"
lesson  = "A thread that computes V x V elements uses each loaded value V times from a register: 2 N^3 / V global loads."
views   = ["sectors", "occupancy", "roofline"]

[parameters]
M    = { default = 256, min = 1, max = 2048, help = "rows of A and of C" }
N    = { default = 256, min = 1, max = 2048, help = "columns of B and of C" }
K    = { default = 256, min = 1, max = 2048, help = "columns of A, rows of B" }
TILE = { default = 16, values = [8, 16], macro = true, help = "block edge, in threads" }
V    = { default = 4, values = [1, 2, 4, 8], macro = true, help = "edge of a thread's register tile, in elements" }

[buffers]
A = { type = "f32", length = "M * K", fill = "random", seed = "1" }
B = { type = "f32", length = "K * N", fill = "random", seed = "2" }
C = { type = "f32", length = "M * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "M", "N", "K"]
grid  = ["ceil_div(N, TILE * V)", "ceil_div(M, TILE * V)"]
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
#ifndef V
#define V 4
#endif

// Each thread computes V x V elements of C, TILE rows and columns apart, so that neighboring lanes load
// neighboring elements of B. For each k it multiplies V values of A by V of B: V * V products for 2 V loads.
// Indices past the edges read the last row or column; their results are not stored.
extern "C" __global__ void matmul_register_tiled(const float* A, const float* B, float* C, int M, int N,
                                                 int K) {
    const int first_row = blockIdx.y * TILE * V + threadIdx.y;
    const int first_column = blockIdx.x * TILE * V + threadIdx.x;

    float sum[V][V] = {};
    for (int k = 0; k < K; ++k) {
        float a[V], b[V];
        for (int i = 0; i < V; ++i) {
            a[i] = A[min(first_row + i * TILE, M - 1) * K + k];
        }
        for (int j = 0; j < V; ++j) {
            b[j] = B[k * N + min(first_column + j * TILE, N - 1)];
        }
        for (int i = 0; i < V; ++i) {
            for (int j = 0; j < V; ++j) {
                sum[i][j] += a[i] * b[j];
            }
        }
    }

    for (int i = 0; i < V; ++i) {
        for (int j = 0; j < V; ++j) {
            const int row = first_row + i * TILE, column = first_column + j * TILE;
            if (row < M && column < N) {
                C[row * N + column] = sum[i][j];
            }
        }
    }
}
