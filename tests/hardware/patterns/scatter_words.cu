/*
[kernel]
title   = "A word of each of 32 lines written by a warp"

[parameters]


[buffers]
x = { type = "f32", length = "1024", fill = "random", seed = "3" }
z = { type = "f32", length = "8650752", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void scatter_words(const float* __restrict__ x, float* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    z[((i / 32) * 32 + (i % 32)) * 32 + (i / 32) % 8] = i;
}
