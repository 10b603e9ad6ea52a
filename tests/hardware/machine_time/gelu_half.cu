/*
[kernel]
title   = "GELU of halves, two per lane"

[parameters]
n = { default = 4194304 }

[buffers]
in = { type = "f16", length = "n", fill = "random", seed = "26" }
out = { type = "f16", length = "n", fill = "zero" }

[launch]
arguments = ["in", "out", "n"]
grid  = ["ceil_div(n, 1024)"]
block = ["256"]
*/
#include <cuda_fp16.h>

__device__ float gelu(float x) { return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x))); }

extern "C" __global__ void gelu_half(const uint2* in, uint2* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i * 4 >= n) return;
    uint2 v = in[i];
    __half2* parts = reinterpret_cast<__half2*>(&v);
    for (int j = 0; j < 2; ++j) {
        const float2 x = __half22float2(parts[j]);
        parts[j] = __floats2half2_rn(gelu(x.x), gelu(x.y));
    }
    out[i] = v;
}
