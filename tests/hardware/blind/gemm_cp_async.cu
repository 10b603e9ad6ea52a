/*
[kernel]
title   = "Tensor-core product with mma.sync: tiles of 128 x 64, three stages of cp.async, ldmatrix from swizzled rows"

[parameters]
M = { default = 1536 }
N = { default = 1024 }
K = { default = 512 }

[buffers]
a = { type = "f16", length = "M * K", fill = "random", seed = "411" }
b = { type = "f16", length = "N * K", fill = "random", seed = "412" }
c = { type = "f32", length = "M * N", fill = "zero" }

[launch]
arguments = ["a", "b", "c", "M", "N", "K"]
grid  = ["N // 64", "M // 128"]
block = ["128"]
*/
#include <cuda_fp16.h>
__device__ unsigned shared_address(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }
__device__ void copy_16(void* to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from));
}
__device__ void matrices(unsigned (&r)[4], const void* at) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(at)));
}
__device__ void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
// A row has 32 halves, four pieces of 16 bytes; rows are swizzled by pairs.
__device__ int place(int row, int piece) { return row * 32 + ((piece ^ (row >> 1 & 3)) << 3); }
extern "C" __global__ void gemm_cp_async(const __half* __restrict__ a, const __half* __restrict__ b,
                                         float* __restrict__ c, int M, int N, int K) {
    __shared__ __align__(16) __half tile_a[3][128 * 32], tile_b[3][64 * 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const __half* from_a = a + size_t(blockIdx.y) * 128 * K;
    const __half* from_b = b + size_t(blockIdx.x) * 64 * K;
    const auto fetch = [&](int stage, int k) {
        for (int i = 0; i < 4; ++i) {
            const int row = (threadIdx.x + i * 128) / 4, piece = threadIdx.x % 4;
            copy_16(tile_a[stage] + place(row, piece), from_a + size_t(row) * K + k + piece * 8);
        }
        for (int i = 0; i < 2; ++i) {
            const int row = (threadIdx.x + i * 128) / 4, piece = threadIdx.x % 4;
            copy_16(tile_b[stage] + place(row, piece), from_b + size_t(row) * K + k + piece * 8);
        }
    };
    float sums[2][8][4] = {};
    fetch(0, 0);
    asm volatile("cp.async.commit_group;");
    fetch(1, 32);
    asm volatile("cp.async.commit_group;");
    int stage = 0;
    for (int k = 0; k < K; k += 32) {
        asm volatile("cp.async.wait_group 1;");
        __syncthreads();
        if (k + 64 < K) fetch(stage == 0 ? 2 : stage - 1, k + 64);
        asm volatile("cp.async.commit_group;");
        for (int half = 0; half < 2; ++half) {
            unsigned of_a[2][4], of_b[4][4];
            for (int i = 0; i < 2; ++i)
                matrices(of_a[i], tile_a[stage] + place(warp * 32 + i * 16 + lane % 16, half * 2 + lane / 16));
            for (int j = 0; j < 4; ++j)
                matrices(of_b[j], tile_b[stage] + place(j * 16 + lane % 8 + lane / 16 * 8, half * 2 + lane / 8 % 2));
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j) {
                    multiply(sums[i][j * 2], of_a[i], of_b[j][0], of_b[j][1]);
                    multiply(sums[i][j * 2 + 1], of_a[i], of_b[j][2], of_b[j][3]);
                }
        }
        stage = stage == 2 ? 0 : stage + 1;
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 8; ++j) {
            const int row = blockIdx.y * 128 + warp * 32 + i * 16 + lane / 4, column = blockIdx.x * 64 + j * 8 + lane % 4 * 2;
            *reinterpret_cast<float2*>(c + size_t(row) * N + column) = make_float2(sums[i][j][0], sums[i][j][1]);
            *reinterpret_cast<float2*>(c + size_t(row + 8) * N + column) = make_float2(sums[i][j][2], sums[i][j][3]);
        }
}
