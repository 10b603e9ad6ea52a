/*
[kernel]
title   = "Group norm with SiLU, channels last, half: Welford's sums merged by shuffles, then a second pass"

[parameters]
samples = { default = 8 }
pixels = { default = 1024 }

[buffers]
x = { type = "f16", length = "samples * pixels * 320", fill = "random", seed = "701" }
scale = { type = "f16", length = "320", fill = "random", seed = "702" }
shift = { type = "f16", length = "320", fill = "random", seed = "703" }
y = { type = "f16", length = "samples * pixels * 320", fill = "zero" }

[launch]
arguments = ["x", "scale", "shift", "y", "pixels"]
grid  = ["32", "samples"]
block = ["320"]
*/
#include <cuda_fp16.h>
// 320 channels in 32 groups of 10: five pairs; 64 pixels at a time.
extern "C" __global__ void group_norm_silu(const __half2* __restrict__ x, const __half2* __restrict__ scale,
                                           const __half2* __restrict__ shift, __half2* __restrict__ y, int pixels) {
    __shared__ float means[10], squares[10], counts[10];
    const int pair = threadIdx.x % 5, first = threadIdx.x / 5, channel = blockIdx.x * 5 + pair;
    const __half2* from = x + size_t(blockIdx.y) * pixels * 160 + channel;
    float mean = 0, square = 0, count = 0;
    for (int i = first; i < pixels; i += 64) {
        const float2 v = __half22float2(from[size_t(i) * 160]);
        for (const float value : {v.x, v.y}) {
            count += 1;
            const float delta = value - mean;
            mean += delta / count;
            square += delta * (value - mean);
        }
    }
    const auto merge = [&](float other_mean, float other_square, float other_count) {
        const float sum = count + other_count, delta = other_mean - mean;
        if (sum == 0) return;
        mean += delta * other_count / sum;
        square += other_square + delta * delta * count * other_count / sum;
        count = sum;
    };
    for (int distance = 16; distance > 0; distance /= 2)
        merge(__shfl_xor_sync(~0u, mean, distance), __shfl_xor_sync(~0u, square, distance),
              __shfl_xor_sync(~0u, count, distance));
    if (threadIdx.x % 32 == 0) {
        means[threadIdx.x / 32] = mean;
        squares[threadIdx.x / 32] = square;
        counts[threadIdx.x / 32] = count;
    }
    __syncthreads();
    count = mean = square = 0;
    for (int warp = 0; warp < 10; ++warp) merge(means[warp], squares[warp], counts[warp]);
    const float factor = rsqrtf(square / count + 1e-5f);
    const float2 a = __half22float2(scale[channel]), b = __half22float2(shift[channel]);
    __half2* to = y + size_t(blockIdx.y) * pixels * 160 + channel;
    for (int i = first; i < pixels; i += 64) {
        float2 v = __half22float2(from[size_t(i) * 160]);
        v.x = (v.x - mean) * factor * a.x + b.x;
        v.y = (v.y - mean) * factor * a.y + b.y;
        v.x /= 1 + __expf(-v.x);
        v.y /= 1 + __expf(-v.y);
        to[size_t(i) * 160] = __float22half2_rn(v);
    }
}
