/*
[kernel]
title   = "Rows of 1 KiB of 16 MiB at random places, one for each warp, copied in order"

[parameters]


[buffers]
x = { type = "f32", length = "4325376", fill = "random", seed = "3" }
z = { type = "f32", length = "4325376", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["2112"]
block = ["256"]
*/
extern "C" __global__ void gather_rows_write_4(const float4* __restrict__ x, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const unsigned row = (unsigned(i / 32) * 2654435761u >> 8) % 16896u;
#pragma unroll
    for (int k = 0; k < 2; ++k) z[(i / 32) * 64 + k * 32 + i % 32] = x[row * 64 + k * 32 + i % 32];
}
