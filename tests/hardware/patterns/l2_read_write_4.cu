/*
[kernel]
title   = "Two MiB read sixteen times by all SMs together, and two MiB written as often"

[parameters]


[buffers]
x = { type = "f32", length = "524288", fill = "random", seed = "3" }
z = { type = "f32", length = "524288", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void l2_read_write_4(const float4* __restrict__ x, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
#pragma unroll 4
    for (int k = 0; k < 16; ++k) z[(i + k * 8192) % 131072] = __ldcg(x + (i + k * 25871) % 131072);
}
