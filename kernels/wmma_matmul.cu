/*
[kernel]
title   = "Matrix product on tensor cores, one 16 x 16 tile per warp"
subject = "Tensor cores"
lesson  = "The 32 lanes of a warp together hold a tile, a few elements each. One instruction multiplies two 16 x 16 tiles: 8,192 operations."
views   = ["fragments", "sectors", "roofline"]

[parameters]
N     = { default = 256, min = 64, max = 1024, step = 64, help = "rows and columns of each matrix" }
warps = { default = 4, values = [1, 2, 4, 8], help = "warps per block, side by side in a row of tiles" }

[buffers]
A = { type = "u16", length = "N * N", fill = "random", seed = "1", below = "0x3c00" }
B = { type = "u16", length = "N * N", fill = "random", seed = "2", below = "0x3c00" }
C = { type = "f32", length = "N * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "N"]
grid  = ["ceil_div(N, 16 * warps)", "N // 16"]
block = ["32 * warps"]
dynamic_shared_bytes = "0"

[golden.C]
tolerance = 1e-5
lua = '''
local function half(bits)
    local exponent, fraction = bits >> 10 & 31, bits & 1023
    if exponent == 0 then return fraction * 2.0 ^ -24 end
    return (1024 + fraction) * 2.0 ^ (exponent - 25)
end
local a, b = {}, {}
for i = 0, N * N - 1 do
    a[i] = half(A[i])
    b[i] = half(B[i])
end
return function(i)
    local row, column, sum = i // N, i % N, 0.0
    for k = 0, N - 1 do
        sum = sum + a[row * N + k] * b[k * N + column]
    end
    return sum
end
'''
*/
#include <mma.h>

// Each warp computes one tile of C. A and B hold half-precision numbers from 0 to 1, C single precision. The
// hardware defines which lane holds which element of a fragment; the Fragments view shows it.
extern "C" __global__ void wmma_matmul(const unsigned short* A, const unsigned short* B, float* C, int N) {
    using namespace nvcuda::wmma;
    const int row = blockIdx.y * 16;
    const int column = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 16;
    if (column >= N) return;

    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    for (int k = 0; k < N; k += 16) {
        load_matrix_sync(a, reinterpret_cast<const half*>(A) + row * N + k, N);
        load_matrix_sync(b, reinterpret_cast<const half*>(B) + k * N + column, N);
        mma_sync(sum, a, b, sum);
    }
    store_matrix_sync(C + row * N + column, sum, N, mem_row_major);
}
