/*
[kernel]
title   = "y += x, a word for each thread"

[parameters]


[buffers]
x = { type = "f32", length = "1081344", fill = "random", seed = "3" }
y = { type = "f32", length = "1081344", fill = "random", seed = "3" }

[launch]
arguments = ["x", "y"]
grid  = ["4224"]
block = ["256"]
*/
extern "C" __global__ void stream_in_place(const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    y[i] += x[i];
}
