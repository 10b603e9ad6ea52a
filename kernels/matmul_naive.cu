/*
[kernel]
title   = "Matrix product from global memory"
subject = "Tiling and reuse"
lesson  = "Each of the N * N threads reads a row and a column: 2 N^3 loads for 2 N^2 elements."
views   = ["sectors", "source", "occupancy"]

[parameters]
N       = { default = 256, min = 32, max = 2048, step = 32, help = "rows and columns of each matrix" }
block_x = { default = 16, values = [8, 16, 32], help = "threads per block along x" }
block_y = { default = 16, values = [1, 2, 4, 8, 16, 32], help = "threads per block along y" }

[buffers]
A = { type = "f32", length = "N * N", fill = "random", seed = "1" }
B = { type = "f32", length = "N * N", fill = "random", seed = "2" }
C = { type = "f32", length = "N * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "N"]
grid  = ["ceil_div(N, block_x)", "ceil_div(N, block_y)"]
block = ["block_x", "block_y"]
dynamic_shared_bytes = "0"

[golden.C]
tolerance = 2e-5
lua = '''
return function(i)
    local row, column, sum = i // N, i % N, 0.0
    for k = 0, N - 1 do
        sum = sum + A[row * N + k] * B[k * N + column]
    end
    return sum
end
'''
*/

// One thread per element of C. The lanes of a warp share a row of A (a broadcast) and read neighboring
// columns of B (coalesced), yet every element is loaded N times. N is a multiple of the block's edges.
extern "C" __global__ void matmul_naive(const float* A, const float* B, float* C, int N) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        sum += A[row * N + k] * B[k * N + column];
    }
    C[row * N + column] = sum;
}
