/*
[kernel]
title   = "only writes, four words for each thread"

[parameters]


[buffers]
x = { type = "f32", length = "4325376", fill = "random", seed = "3" }
y = { type = "f32", length = "4325376", fill = "random", seed = "3" }
z = { type = "f32", length = "4325376", fill = "zero" }

[launch]
arguments = ["x", "y", "z"]
grid  = ["4224"]
block = ["256"]
*/
extern "C" __global__ void stream_write_4(const float4* __restrict__ x, const float4* __restrict__ y, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= 0) z[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
}
