/*
[kernel]
title   = "A bias, dropout by a hash, the residual and the normalization of rows of halves, of which the sum is kept as well"

[parameters]
rows = { default = 1056 }

[buffers]
x = { type = "f16", length = "rows * 1024", fill = "random", seed = "2641" }
bias = { type = "f16", length = "1024", fill = "random", seed = "2642" }
residual = { type = "f16", length = "rows * 1024", fill = "random", seed = "2643" }
gain = { type = "f16", length = "1024", fill = "random", seed = "2644" }
added = { type = "f16", length = "rows * 1024", fill = "zero" }
out = { type = "f16", length = "rows * 1024", fill = "zero" }

[launch]
arguments = ["x", "bias", "residual", "gain", "added", "out"]
grid  = ["rows"]
block = ["128"]
*/
#include <cuda_fp16.h>

__device__ __forceinline__ float sum_of_block(float value, float* sums) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    return sums[0] + sums[1] + sums[2] + sums[3];
}

extern "C" __global__ void bias_dropout_residual(const uint4* __restrict__ x, const uint4* __restrict__ bias, const uint4* __restrict__ residual, const uint4* __restrict__ gain, uint4* __restrict__ added, uint4* __restrict__ out) {
    __shared__ float sums[2][4];
    const int at = blockIdx.x * 128 + threadIdx.x;
    const uint4 in = x[at], beside = bias[threadIdx.x], kept = residual[at];
    const __half2 *a = (const __half2*)&in, *b = (const __half2*)&beside, *c = (const __half2*)&kept;
    float values[8];
    float sum = 0;
    uint4 both;
    __half2* const halves = (__half2*)&both;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        unsigned hash = (unsigned(at) * 4 + k) * 0x9e3779b9u;
        hash = (hash ^ hash >> 16) * 0x85ebca6bu;
        hash ^= hash >> 13;
        const float2 u = __half22float2(a[k]), v = __half22float2(b[k]), w = __half22float2(c[k]);
        values[2 * k] = w.x + ((hash & 0xffffu) < 58982u ? (u.x + v.x) * 1.1111f : 0);
        values[2 * k + 1] = w.y + (hash >> 16 < 58982u ? (u.y + v.y) * 1.1111f : 0);
        halves[k] = __floats2half2_rn(values[2 * k], values[2 * k + 1]);
        sum += values[2 * k] + values[2 * k + 1];
    }
    added[at] = both;
    const float mean = sum_of_block(sum, sums[0]) / 1024;
    float squares = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) squares += (values[k] - mean) * (values[k] - mean);
    const float scale = rsqrtf(sum_of_block(squares, sums[1]) / 1024 + 1e-5f);
    const uint4 by = gain[threadIdx.x];
    const __half2* const g = (const __half2*)&by;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const float2 f = __half22float2(g[k]);
        halves[k] = __floats2half2_rn((values[2 * k] - mean) * scale * f.x, (values[2 * k + 1] - mean) * scale * f.y);
    }
    out[at] = both;
}
