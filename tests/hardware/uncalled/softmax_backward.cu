/*
[kernel]
title   = "Backward pass of a softmax over rows of 512 halves: a sum of products, then each gradient; a warp a row"

[parameters]
rows = { default = 8448 }

[buffers]
y = { type = "f16", length = "rows * 512", fill = "random", seed = "2101" }
dy = { type = "f16", length = "rows * 512", fill = "random", seed = "2102" }
dx = { type = "f16", length = "rows * 512", fill = "zero" }

[launch]
arguments = ["y", "dy", "dx"]
grid  = ["rows // 4"]
block = ["128"]
*/
#include <cuda_fp16.h>
extern "C" __global__ void softmax_backward(const uint4* __restrict__ y, const uint4* __restrict__ dy, uint4* __restrict__ dx) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    uint4 a[2], b[2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        a[k] = y[row * 64 + k * 32 + lane];
        b[k] = dy[row * 64 + k * 32 + lane];
    }
    const __half2* const p = reinterpret_cast<const __half2*>(a);
    const __half2* const q = reinterpret_cast<const __half2*>(b);
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const float2 u = __half22float2(p[k]), v = __half22float2(q[k]);
        sum += u.x * v.x + u.y * v.y;
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    uint4 c[2];
    __half2* const r = reinterpret_cast<__half2*>(c);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const float2 u = __half22float2(p[k]), v = __half22float2(q[k]);
        r[k] = __floats2half2_rn(u.x * (v.x - sum), u.y * (v.y - sum));
    }
#pragma unroll
    for (int k = 0; k < 2; ++k) dx[row * 64 + k * 32 + lane] = c[k];
}
