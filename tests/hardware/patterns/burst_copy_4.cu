/*
[kernel]
title   = "Four words copied by each thread, in one wave of eight blocks an SM"

[parameters]


[buffers]
x = { type = "f32", length = "1081344", fill = "random", seed = "3" }
z = { type = "f32", length = "1081344", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void burst_copy_4(const float4* __restrict__ x, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    z[i] = x[i];
}
