/*
[kernel]
title   = "Two MiB read by all SMs, and a stream of as many lines written once"

[parameters]


[buffers]
x = { type = "f32", length = "524288", fill = "random", seed = "3" }
z = { type = "f32", length = "4325376", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void l2_read_dram_write_4(const float4* __restrict__ x, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 4; ++k) z[i + k * 270336] = __ldcg(x + (i + k * 25871) % 131072);
}
