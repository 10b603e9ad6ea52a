/*
[kernel]
title   = "Matrix of 4-bit weights times vector: eight weights in a word, a scale for each 128, a warp per row"

[parameters]
rows = { default = 8192 }
columns = { default = 4096 }

[buffers]
weights = { type = "u32", length = "rows * columns // 8", fill = "random", seed = "413", below = "4294967295" }
scales = { type = "f16", length = "rows * columns // 128", fill = "random", seed = "414" }
x = { type = "f16", length = "columns", fill = "random", seed = "415" }
y = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["weights", "scales", "x", "y", "columns"]
grid  = ["rows // 4"]
block = ["128"]
*/
#include <cuda_fp16.h>
extern "C" __global__ void gemv_int4(const uint4* __restrict__ weights, const __half* __restrict__ scales,
                                     const __half2* __restrict__ x, float* __restrict__ y, int columns) {
    __shared__ __half2 staged[2048];
    for (int i = threadIdx.x; i < columns / 2; i += 128) staged[i] = x[i];
    __syncthreads();
    const int lane = threadIdx.x % 32, row = blockIdx.x * 4 + threadIdx.x / 32;
    float sum = 0;
    for (int i = lane; i < columns / 32; i += 32) {
        const uint4 packed = weights[size_t(row) * (columns / 32) + i];
        const float scale = __half2float(scales[row * (columns / 128) + i / 4]);
        const unsigned words[4] = {packed.x, packed.y, packed.z, packed.w};
        float part = 0;
        for (int k = 0; k < 4; ++k)
            for (int j = 0; j < 4; ++j) {
                const float2 two = __half22float2(staged[i * 16 + k * 4 + j]);
                part += (int(words[k] >> j * 8 & 15) - 8) * two.x + (int(words[k] >> (j * 8 + 4) & 15) - 8) * two.y;
            }
        sum += part * scale;
    }
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (lane == 0) y[row] = sum;
}
