/*
[kernel]
title   = "Layer of a binary network: exclusive or and population count, tiles of 32 x 64 outputs, four per thread"

[parameters]
M = { default = 480 }
N = { default = 2112 }
words = { default = 64 }

[buffers]
a = { type = "u32", length = "M * words", fill = "random", seed = "731", below = "4294967295" }
b = { type = "u32", length = "N * words", fill = "random", seed = "732", below = "4294967295" }
c = { type = "i32", length = "M * N", fill = "zero" }

[launch]
arguments = ["a", "b", "c", "N", "words"]
grid  = ["N // 64", "M // 32"]
block = ["32", "16"]
*/
extern "C" __global__ void hamming_matrix(const unsigned* __restrict__ a, const unsigned* __restrict__ b,
                                          int* __restrict__ c, int N, int words) {
    __shared__ unsigned tile_a[32][17], tile_b[64][17];
    const int thread = threadIdx.y * 32 + threadIdx.x;
    int differs[2][2] = {};
    for (int k = 0; k < words; k += 16) {
        for (int i = thread; i < 32 * 16; i += 512)
            tile_a[i / 16][i % 16] = a[(blockIdx.y * 32 + i / 16) * words + k + i % 16];
        for (int i = thread; i < 64 * 16; i += 512)
            tile_b[i / 16][i % 16] = b[(blockIdx.x * 64 + i / 16) * words + k + i % 16];
        __syncthreads();
        for (int j = 0; j < 16; ++j)
            for (int y = 0; y < 2; ++y)
                for (int x = 0; x < 2; ++x)
                    differs[y][x] += __popc(tile_a[threadIdx.y + y * 16][j] ^ tile_b[threadIdx.x + x * 32][j]);
        __syncthreads();
    }
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x)
            c[(blockIdx.y * 32 + threadIdx.y + y * 16) * N + blockIdx.x * 64 + threadIdx.x + x * 32] =
                words * 32 - 2 * differs[y][x];
}
