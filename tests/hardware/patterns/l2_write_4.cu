/*
[kernel]
title   = "Two MiB written sixteen times by all SMs together"

[parameters]


[buffers]
x = { type = "f32", length = "1024", fill = "random", seed = "3" }
z = { type = "f32", length = "524288", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void l2_write_4(const float4* __restrict__ x, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4 a = x[i & 255];
#pragma unroll 4
    for (int k = 0; k < 16; ++k) z[(i + k * 8192) % 131072] = a;
}
