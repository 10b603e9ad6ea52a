/*
[kernel]
title   = "a = b + s * c in vectors of four, over a grid that is smaller than the data: streaming"

[parameters]
n = { default = 8388608 }

[buffers]
a = { type = "f32", length = "n", fill = "zero" }
b = { type = "f32", length = "n", fill = "random", seed = "941" }
c = { type = "f32", length = "n", fill = "random", seed = "942" }

[launch]
arguments = ["a", "b", "c", "n // 4"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void triad_stride(float4* __restrict__ a, const float4* __restrict__ b,
                                        const float4* __restrict__ c, int vectors) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += gridDim.x * blockDim.x) {
        const float4 x = b[i], y = c[i];
        a[i] = make_float4(x.x + 1.5f * y.x, x.y + 1.5f * y.y, x.z + 1.5f * y.z, x.w + 1.5f * y.w);
    }
}
