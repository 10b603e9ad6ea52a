/*
[kernel]
title   = "y = a x + y in half precision, eight elements per step of a grid-stride loop"

[parameters]
n = { default = 4194304 }

[buffers]
x = { type = "f16", length = "n", fill = "random", seed = "113" }
y = { type = "f16", length = "n", fill = "random", seed = "114" }

[launch]
arguments = ["x", "y", "n // 8", "f32=0.75"]
grid  = ["396"]
block = ["256"]
*/
#include <cuda_fp16.h>

extern "C" __global__ void half_axpy(const uint4* __restrict__ x, uint4* __restrict__ y, int vectors, float a) {
    const __half2 scale = __float2half2_rn(a);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += gridDim.x * blockDim.x) {
        const uint4 from = x[i];
        uint4 to = y[i];
        const __half2* in = reinterpret_cast<const __half2*>(&from);
        __half2* out = reinterpret_cast<__half2*>(&to);
        for (int k = 0; k < 4; ++k) out[k] = __hfma2(scale, in[k], out[k]);
        y[i] = to;
    }
}
