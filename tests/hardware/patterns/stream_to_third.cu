/*
[kernel]
title   = "z = x + y, a word for each thread"

[parameters]


[buffers]
x = { type = "f32", length = "1081344", fill = "random", seed = "3" }
y = { type = "f32", length = "1081344", fill = "random", seed = "3" }
z = { type = "f32", length = "1081344", fill = "zero" }

[launch]
arguments = ["x", "y", "z"]
grid  = ["4224"]
block = ["256"]
*/
extern "C" __global__ void stream_to_third(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    z[i] = x[i] + y[i];
}
