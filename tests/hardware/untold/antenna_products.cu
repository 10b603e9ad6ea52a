/*
[kernel]
title   = "Complex products of all pairs of antennas: tiles of 32 x 32 for each frequency, samples in shared memory, 2 x 2 pairs per thread"

[parameters]
antennas = { default = 128 }
times = { default = 128 }
channels = { default = 32 }

[buffers]
samples = { type = "f32", length = "channels * times * antennas * 2", fill = "random", seed = "1425" }
products = { type = "f32", length = "channels * antennas * antennas * 2", fill = "zero" }

[launch]
arguments = ["samples", "products", "antennas", "times"]
grid  = ["10", "channels"]
block = ["16", "16"]
*/
extern "C" __global__ void antenna_products(const float2* __restrict__ samples, float2* __restrict__ products,
                                            int antennas, int times) {
    __shared__ float2 rows[16][32], columns[16][32];
    int row = 0, column = blockIdx.x;  // tiles of the lower triangle, in order
    while (column > row) column -= ++row;
    const float2* from = samples + blockIdx.y * times * antennas;
    const int rank = threadIdx.y * 16 + threadIdx.x;
    float2 sums[2][2] = {};
    for (int t0 = 0; t0 < times; t0 += 16) {
        for (int i = rank; i < 512; i += 256) {
            rows[i / 32][i % 32] = from[(t0 + i / 32) * antennas + row * 32 + i % 32];
            columns[i / 32][i % 32] = from[(t0 + i / 32) * antennas + column * 32 + i % 32];
        }
        __syncthreads();
#pragma unroll
        for (int t = 0; t < 16; ++t)
#pragma unroll
            for (int a = 0; a < 2; ++a)
#pragma unroll
                for (int b = 0; b < 2; ++b) {
                    const float2 x = rows[t][threadIdx.y + a * 16], y = columns[t][threadIdx.x + b * 16];
                    sums[a][b].x += x.x * y.x + x.y * y.y;
                    sums[a][b].y += x.y * y.x - x.x * y.y;
                }
        __syncthreads();
    }
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            products[(blockIdx.y * antennas + row * 32 + threadIdx.y + a * 16) * antennas + column * 32 + threadIdx.x + b * 16] = sums[a][b];
}
