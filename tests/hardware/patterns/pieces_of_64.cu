/*
[kernel]
title   = "Pieces of 64 bytes far apart read by groups of four lanes, once each"

[parameters]


[buffers]
x = { type = "f32", length = "4325376", fill = "random", seed = "3" }
z = { type = "f32", length = "1024", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void pieces_of_64(const float4* __restrict__ x, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const int piece = (i / 4) * 20249 % 67584;
    const float4 a = x[piece * 16 + i % 4];
    if (a.x + a.y + a.z + a.w == 12345.0f) z[i & 255] = a;
}
