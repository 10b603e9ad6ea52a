/*
[kernel]
title   = "Additions of a register to itself"

[parameters]


[buffers]
x = { type = "f32", length = "135168", fill = "random", seed = "3" }
z = { type = "f32", length = "135168", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["528"]
block = ["256"]
*/
extern "C" __global__ void arithmetic_add_one(const float* __restrict__ x, float* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float a = x[i], b = a + 1, c = a + 2, d = a + 3, e = a * 2, f = a * 3, g = a * 5, h = a * 7;
#pragma unroll 4
    for (int k = 0; k < 64; ++k) {
        a = a + a; c = c + c; e = e + e; g = g + g; b = b + b; d = d + d; f = f + f; h = h + h;
    }
    z[i] = a + b + c + d + e + f + g + h;
}
