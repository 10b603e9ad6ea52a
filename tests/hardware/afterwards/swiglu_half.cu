/*
[kernel]
title   = "A gated unit in half precision: silu of one half of each row times the other, eight values per thread and step"

[parameters]
rows = { default = 1056 }
width = { default = 2816 }

[buffers]
in = { type = "f16", length = "rows * 2 * width", fill = "random", seed = "920" }
out = { type = "f16", length = "rows * width", fill = "zero" }

[launch]
arguments = ["in", "out", "width"]
grid  = ["rows"]
block = ["176"]
*/
#include <cuda_fp16.h>
extern "C" __global__ void swiglu_half(const __half* __restrict__ in, __half* __restrict__ out, int width) {
    const __half* gate = in + size_t(blockIdx.x) * 2 * width;
    for (int at = threadIdx.x * 8; at < width; at += blockDim.x * 8) {
        const uint4 g = *reinterpret_cast<const uint4*>(gate + at), u = *reinterpret_cast<const uint4*>(gate + width + at);
        uint4 made;
        for (int i = 0; i < 4; ++i) {
            const float2 a = __half22float2(reinterpret_cast<const __half2*>(&g)[i]), b = __half22float2(reinterpret_cast<const __half2*>(&u)[i]);
            reinterpret_cast<__half2*>(&made)[i] = __floats2half2_rn(a.x / (1 + __expf(-a.x)) * b.x, a.y / (1 + __expf(-a.y)) * b.y);
        }
        *reinterpret_cast<uint4*>(out + size_t(blockIdx.x) * width + at) = made;
    }
}
