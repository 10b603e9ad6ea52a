/*
[kernel]
title   = "Householder factors of matrices of 32 x 32, a row in each lane's registers, sums over the warp by shuffles"

[parameters]
matrices = { default = 1584 }

[buffers]
a = { type = "f32", length = "matrices * 1024", fill = "random", seed = "919" }

[launch]
arguments = ["a"]
grid  = ["matrices // 4"]
block = ["128"]
*/
__device__ float over_warp(float value) {
    for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(~0u, value, mask);
    return value;
}
extern "C" __global__ void __launch_bounds__(128) qr_warp(float* a) {
    const int lane = threadIdx.x % 32;
    float* own = a + (blockIdx.x * 4 + threadIdx.x / 32) * 1024 + lane * 32;
    float row[32];
#pragma unroll
    for (int i = 0; i < 32; i += 4) *reinterpret_cast<float4*>(row + i) = *reinterpret_cast<const float4*>(own + i);
#pragma unroll
    for (int k = 0; k < 12; ++k) {
        const float x = lane >= k ? row[k] : 0.0f;
        const float length = sqrtf(over_warp(x * x)), top = __shfl_sync(~0u, x, k);
        const float v = lane == k ? x + copysignf(length, top) : x;
        const float scale = 2.0f / over_warp(v * v);
#pragma unroll
        for (int j = k; j < 32; ++j) row[j] -= scale * over_warp(v * row[j]) * v;
    }
#pragma unroll
    for (int i = 0; i < 32; i += 4) *reinterpret_cast<float4*>(own + i) = *reinterpret_cast<const float4*>(row + i);
}
