/*
[kernel]
title   = "Product of int8 matrices by tensor cores: tiles of 64 x 64 in shared memory, scaled per column at the end"

[parameters]
M = { default = 768 }
N = { default = 1152 }
K = { default = 768 }

[buffers]
a = { type = "i8", length = "M * K", fill = "random", seed = "716", below = "120" }
b = { type = "i8", length = "N * K", fill = "random", seed = "717", below = "120" }
scales = { type = "f32", length = "N", fill = "random", seed = "718" }
c = { type = "f32", length = "M * N", fill = "zero" }

[launch]
arguments = ["a", "b", "scales", "c", "M", "N", "K"]
grid  = ["N // 64", "M // 64"]
block = ["128"]
*/
__device__ void multiply_bytes(int (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
// Rows of 64 bytes with 16 bytes between them, so that fragments are read without conflicts.
extern "C" __global__ void imma_tiles(const signed char* __restrict__ a, const signed char* __restrict__ b,
                                      const float* __restrict__ scales, float* __restrict__ c, int M, int N, int K) {
    __shared__ __align__(16) unsigned tile_a[64][20], tile_b[64][20];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4, in_group = lane % 4;
    int sums[2][4][4] = {};
    const int row_of_warp = warp / 2 * 32, column_of_warp = warp % 2 * 32;
    for (int k = 0; k < K; k += 64) {
        for (int i = threadIdx.x; i < 256; i += 128) {
            const int row = i / 4, piece = i % 4;
            *reinterpret_cast<uint4*>(&tile_a[row][piece * 4]) =
                *reinterpret_cast<const uint4*>(a + size_t(blockIdx.y * 64 + row) * K + k + piece * 16);
            *reinterpret_cast<uint4*>(&tile_b[row][piece * 4]) =
                *reinterpret_cast<const uint4*>(b + size_t(blockIdx.x * 64 + row) * K + k + piece * 16);
        }
        __syncthreads();
        for (int part = 0; part < 2; ++part) {
            unsigned of_a[2][4];
            for (int i = 0; i < 2; ++i) {
                const int row = row_of_warp + i * 16 + group, word = part * 8 + in_group;
                of_a[i][0] = tile_a[row][word];
                of_a[i][1] = tile_a[row + 8][word];
                of_a[i][2] = tile_a[row][word + 4];
                of_a[i][3] = tile_a[row + 8][word + 4];
            }
            for (int j = 0; j < 4; ++j) {
                const int column = column_of_warp + j * 8 + group, word = part * 8 + in_group;
                const unsigned b0 = tile_b[column][word], b1 = tile_b[column][word + 4];
                for (int i = 0; i < 2; ++i) multiply_bytes(sums[i][j], of_a[i], b0, b1);
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
            const int row = blockIdx.y * 64 + row_of_warp + i * 16 + group;
            const int column = blockIdx.x * 64 + column_of_warp + j * 8 + in_group * 2;
            const float2 scale = *reinterpret_cast<const float2*>(scales + column);
            *reinterpret_cast<float2*>(c + size_t(row) * N + column) =
                make_float2(sums[i][j][0] * scale.x, sums[i][j][1] * scale.y);
            *reinterpret_cast<float2*>(c + size_t(row + 8) * N + column) =
                make_float2(sums[i][j][2] * scale.x, sums[i][j][3] * scale.y);
        }
}
