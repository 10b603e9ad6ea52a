/*
[kernel]
title   = "Attention of one new token: a block per head and part of 256 keys, half-precision cache, a warp per key, partial results"

[parameters]
heads = { default = 64 }
parts = { default = 8 }

[buffers]
query = { type = "f32", length = "heads * 128", fill = "random", seed = "410" }
keys = { type = "f16", length = "heads * parts * 256 * 128", fill = "constant", value = "0.0625" }
values = { type = "f16", length = "heads * parts * 256 * 128", fill = "constant", value = "0.5" }
partial = { type = "f32", length = "heads * parts * 128", fill = "zero" }
sums = { type = "f32", length = "heads * parts * 2", fill = "zero" }

[launch]
arguments = ["query", "keys", "values", "partial", "sums", "f32=0.0883883"]
grid  = ["parts", "heads"]
block = ["128"]
*/
#include <cuda_fp16.h>
__device__ float4 four_of(const uint2 bits) {
    const float2 a = __half22float2(*reinterpret_cast<const __half2*>(&bits.x));
    const float2 b = __half22float2(*reinterpret_cast<const __half2*>(&bits.y));
    return make_float4(a.x, a.y, b.x, b.y);
}
extern "C" __global__ void decode_attention(const float4* __restrict__ query, const uint2* __restrict__ keys,
                                            const uint2* __restrict__ values, float* __restrict__ partial,
                                            float* __restrict__ sums, float scale) {
    __shared__ float scores[256], reduced[4];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = blockIdx.y * gridDim.x + blockIdx.x;
    const float4 q = query[blockIdx.y * 32 + lane];
    const uint2* own_keys = keys + size_t(part) * 256 * 32;
    for (int key = warp; key < 256; key += 4) {
        const float4 k = four_of(own_keys[key * 32 + lane]);
        float dot = q.x * k.x + q.y * k.y + q.z * k.z + q.w * k.w;
        for (int distance = 16; distance > 0; distance /= 2) dot += __shfl_xor_sync(0xffffffffu, dot, distance);
        if (lane == 0) scores[key] = dot * scale;
    }
    __syncthreads();
    float most = fmaxf(scores[threadIdx.x], scores[threadIdx.x + 128]);
    for (int distance = 16; distance > 0; distance /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, distance));
    if (lane == 0) reduced[warp] = most;
    __syncthreads();
    most = fmaxf(fmaxf(reduced[0], reduced[1]), fmaxf(reduced[2], reduced[3]));
    __syncthreads();
    const float first = __expf(scores[threadIdx.x] - most), second = __expf(scores[threadIdx.x + 128] - most);
    scores[threadIdx.x] = first;
    scores[threadIdx.x + 128] = second;
    float sum = first + second;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (lane == 0) reduced[warp] = sum;
    __syncthreads();
    const __half* own_values = reinterpret_cast<const __half*>(values) + size_t(part) * 256 * 128 + threadIdx.x;
    float out = 0;
    for (int key = 0; key < 256; ++key) out += scores[key] * __half2float(own_values[key * 128]);
    partial[part * 128 + threadIdx.x] = out;
    if (threadIdx.x == 0) {
        sums[part * 2] = most;
        sums[part * 2 + 1] = reduced[0] + reduced[1] + reduced[2] + reduced[3];
    }
}
