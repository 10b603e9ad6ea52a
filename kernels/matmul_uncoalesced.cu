/*
[kernel]
title   = "Matrix product with the second matrix transposed"
subject = "Tiling and reuse"
lesson  = "Each lane reads a different row of the transposed B: one sector per lane and step instead of a few per warp."
views   = ["sectors", "source", "occupancy"]

[parameters]
N       = { default = 256, min = 32, max = 2048, step = 32, help = "rows and columns of each matrix" }
block_x = { default = 16, values = [8, 16, 32], help = "threads per block along x" }
block_y = { default = 16, values = [1, 2, 4, 8, 16, 32], help = "threads per block along y" }

[buffers]
A            = { type = "f32", length = "N * N", fill = "random", seed = "1" }
B_transposed = { type = "f32", length = "N * N", fill = "random", seed = "2" }
C            = { type = "f32", length = "N * N", fill = "zero" }

[launch]
arguments = ["A", "B_transposed", "C", "N"]
grid  = ["ceil_div(N, block_x)", "ceil_div(N, block_y)"]
block = ["block_x", "block_y"]
dynamic_shared_bytes = "0"

[golden.C]
tolerance = 2e-5
lua = '''
return function(i)
    local row, column, sum = i // N, i % N, 0.0
    for k = 0, N - 1 do
        sum = sum + A[row * N + k] * B_transposed[column * N + k]
    end
    return sum
end
'''
*/

// As matmul_naive, but the columns of B are stored as rows. A single thread would benefit, since it reads
// B in order. A warp does not, since its lanes read N elements apart. N is a multiple of the block's
// edges.
extern "C" __global__ void matmul_uncoalesced(const float* A, const float* B_transposed, float* C, int N) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        sum += A[row * N + k] * B_transposed[column * N + k];
    }
    C[row * N + column] = sum;
}
