/*
[kernel]
title   = "Matrix product with block, warp and register tiles"
subject = "Tiling and reuse"
lesson  = "Tiles in shared memory divide the global loads by their edge, 16 V, and register tiles divide the loads from shared memory by V: 2 N^3 / V."
views   = ["map", "banks", "occupancy", "roofline"]

[parameters]
M = { default = 256, min = 1, max = 4096, help = "rows of A and of C" }
N = { default = 256, min = 1, max = 4096, help = "columns of B and of C" }
K = { default = 256, min = 1, max = 4096, help = "columns of A, rows of B" }
V = { default = 8, values = [1, 2, 4, 8], macro = true, help = "edge of a thread's register tile, in elements; 256 threads make a block tile of 16 V x 16 V" }

[buffers]
A = { type = "f32", length = "M * K", fill = "random", seed = "1" }
B = { type = "f32", length = "K * N", fill = "random", seed = "2" }
C = { type = "f32", length = "M * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "M", "N", "K"]
grid  = ["ceil_div(N, 16 * V)", "ceil_div(M, 16 * V)"]
block = ["256"]
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
#ifndef V
#define V 8
#endif

constexpr int TILE = 16 * V, STEP = 16;

// Three tiles, one in another. The block computes TILE x TILE elements of C, and loads STEP columns of A and
// STEP rows of B at a time into shared memory, V elements of each per thread. Its 8 warps are 4 rows and 2
// columns of warp tiles of 4 V x 8 V elements. The 32 lanes of a warp are 4 rows and 8 columns, and each
// keeps V x V sums in registers: for each k it loads V values of A and V of B from shared memory, for V * V
// products.
extern "C" __global__ void matmul_warp_tiled(const float* A, const float* B, float* C, int M, int N, int K) {
    // A tile is stored by columns. Two elements of padding, since a warp stores 16 columns of two rows at once.
    __shared__ float A_tile[STEP][TILE + 2];
    __shared__ float B_tile[STEP][TILE];

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / 2 * 4 * V + lane / 8, column = warp % 2 * 8 * V + lane % 8;
    const int block_row = blockIdx.y * TILE, block_column = blockIdx.x * TILE;

    float sum[V][V] = {};
    for (int first = 0; first < K; first += STEP) {
        for (int i = 0; i < V; ++i) {
            const int k = threadIdx.x % STEP, r = threadIdx.x / STEP + 16 * i;
            A_tile[k][r] = block_row + r < M && first + k < K ? A[(block_row + r) * K + first + k] : 0.0f;
        }
        for (int i = 0; i < V; ++i) {
            const int k = threadIdx.x / TILE * V + i, c = threadIdx.x % TILE;
            B_tile[k][c] = first + k < K && block_column + c < N ? B[(first + k) * N + block_column + c] : 0.0f;
        }
        __syncthreads();  // both tiles are complete

        for (int k = 0; k < STEP; ++k) {
            float a[V], b[V];
            for (int i = 0; i < V; ++i) {
                a[i] = A_tile[k][row + 4 * i];
            }
            for (int j = 0; j < V; ++j) {
                b[j] = B_tile[k][column + 8 * j];
            }
            for (int i = 0; i < V; ++i) {
                for (int j = 0; j < V; ++j) {
                    sum[i][j] += a[i] * b[j];
                }
            }
        }
        __syncthreads();  // all threads are done with them
    }

    for (int i = 0; i < V; ++i) {
        for (int j = 0; j < V; ++j) {
            const int r = block_row + row + 4 * i, c = block_column + column + 8 * j;
            if (r < M && c < N) {
                C[r * N + c] = sum[i][j];
            }
        }
    }
}
