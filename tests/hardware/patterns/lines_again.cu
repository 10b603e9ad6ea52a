/*
[kernel]
title   = "3072 lines far apart read by groups of eight lanes, eleven times each"

[parameters]


[buffers]
x = { type = "f32", length = "4325376", fill = "random", seed = "3" }
z = { type = "f32", length = "1024", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void lines_again(const float4* __restrict__ x, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const int line = (i / 8) * 20251 % 33792;
    const float4 a = x[line * 32 + i % 8];
    if (a.x + a.y + a.z + a.w == 12345.0f) z[i & 255] = a;
}
