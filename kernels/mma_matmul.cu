/*
[kernel]
title   = "Matrix product with ldmatrix and mma from a shared-memory tile"
subject = "Tensor cores"
lesson  = "ldmatrix reads eight rows of 16 bytes at once. Rows a multiple of 128 bytes apart share the same banks: 8 wavefronts (ideal 1). 8 elements of padding per row remove the conflict."
views   = ["banks", "fragments", "source"]

[parameters]
N   = { default = 256, min = 64, max = 1024, step = 64, help = "rows and columns of each matrix" }
PAD = { default = 0, values = [0, 8, 16, 32], macro = true, help = "unused elements at the end of each tile row, 2 bytes each" }

[buffers]
A = { type = "u16", length = "N * N", fill = "random", seed = "1", below = "0x3c00" }
B = { type = "u16", length = "N * N", fill = "random", seed = "2", below = "0x3c00" }
C = { type = "f32", length = "N * N", fill = "zero" }

[launch]
arguments = ["A", "B", "C", "N"]
grid  = ["N // 64", "N // 16"]
block = ["128"]
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
#ifndef PAD
#define PAD 0
#endif
constexpr int depth = 64;             // per tile: columns of A, rows of B
constexpr int width = 64;             // of the block's part of C: 16 columns per warp
constexpr int pitch = depth + PAD;    // elements per row in shared memory

/// Four 8 x 8 matrices: lane 8 i + r holds the address of row r of matrix i.
__device__ void load_matrices(unsigned (&to)[4], const unsigned short* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
}
__device__ void load_transposed(unsigned (&to)[4], const unsigned short* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
}
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// A block of four warps computes 16 x 64 elements of C, 16 x 16 per warp, in steps of 64 along the rows of A.
extern "C" __global__ void mma_matmul(const unsigned short* A, const unsigned short* B, float* C, int N) {
    __shared__ __align__(16) unsigned short A_tile[16][pitch];
    __shared__ __align__(16) unsigned short B_tile[depth][pitch];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row = blockIdx.y * 16, column = blockIdx.x * width;

    float sum[2][4] = {};
    for (int tile = 0; tile < N; tile += depth) {
        for (int i = threadIdx.x; i < 16 * depth / 8; i += blockDim.x) {  // 8 elements (16 bytes) per thread
            const int r = i / (depth / 8), c = i % (depth / 8) * 8;
            *reinterpret_cast<uint4*>(&A_tile[r][c]) = *reinterpret_cast<const uint4*>(&A[(row + r) * N + tile + c]);
        }
        for (int i = threadIdx.x; i < depth * width / 8; i += blockDim.x) {
            const int r = i / (width / 8), c = i % (width / 8) * 8;
            *reinterpret_cast<uint4*>(&B_tile[r][c]) = *reinterpret_cast<const uint4*>(&B[(tile + r) * N + column + c]);
        }
        __syncthreads();  // both tiles are complete
        for (int k = 0; k < depth; k += 16) {
            unsigned a[4], b[4];
            load_matrices(a, &A_tile[lane % 16][k + lane / 16 * 8]);
            load_transposed(b, &B_tile[k + lane % 16][warp * 16 + lane / 16 * 8]);
            multiply(sum[0], a, b[0], b[1]);
            multiply(sum[1], a, b[2], b[3]);
        }
        __syncthreads();  // all threads are done with them
    }
    for (int half = 0; half < 2; ++half) {
        const int c = column + warp * 16 + half * 8 + lane % 4 * 2;
        C[(row + lane / 4) * N + c] = sum[half][0];
        C[(row + lane / 4) * N + c + 1] = sum[half][1];
        C[(row + lane / 4 + 8) * N + c] = sum[half][2];
        C[(row + lane / 4 + 8) * N + c + 1] = sum[half][3];
    }
}
