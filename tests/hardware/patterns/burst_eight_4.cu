/*
[kernel]
title   = "Four words read by each thread, in one wave of eight blocks an SM"

[parameters]


[buffers]
x = { type = "f32", length = "1081344", fill = "random", seed = "3" }
z = { type = "f32", length = "1024", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void burst_eight_4(const float4* __restrict__ x, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4 a = x[i];
    if (a.x + a.y + a.z + a.w == 12345.0f) z[i & 255] = a;
}
