/*
[kernel]
title   = "A stream read once, four words for each thread, and two MiB written as often"

[parameters]


[buffers]
x = { type = "f32", length = "4325376", fill = "random", seed = "3" }
z = { type = "f32", length = "524288", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void dram_read_l2_write_4(const float4* __restrict__ x, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 4; ++k) z[(i + k * 8192) % 131072] = x[i + k * 270336];
}
