/*
[kernel]
title   = "Four waves and more of blocks of 512 dependent additions"

[parameters]


[buffers]
x = { type = "f32", length = "1081344", fill = "random", seed = "7" }
z = { type = "f32", length = "1081344", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["4224"]
block = ["256"]
*/
extern "C" __global__ void waves_middle_loads(const float* __restrict__ x, float* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float a = x[i], b = a;
#pragma unroll 16
    for (int k = 0; k < 512; ++k) a = a * b + 0.5f;
    z[i] = a;
}
