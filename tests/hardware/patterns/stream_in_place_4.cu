/*
[kernel]
title   = "y += x, four words for each thread"

[parameters]


[buffers]
x = { type = "f32", length = "4325376", fill = "random", seed = "3" }
y = { type = "f32", length = "4325376", fill = "random", seed = "3" }

[launch]
arguments = ["x", "y"]
grid  = ["4224"]
block = ["256"]
*/
extern "C" __global__ void stream_in_place_4(const float4* __restrict__ x, float4* __restrict__ y) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4 a = x[i]; float4 b = y[i]; b.x += a.x; b.y += a.y; b.z += a.z; b.w += a.w; y[i] = b;
}
