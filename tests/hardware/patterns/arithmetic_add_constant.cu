/*
[kernel]
title   = "Additions of a constant"

[parameters]


[buffers]
x = { type = "f32", length = "135168", fill = "random", seed = "3" }
z = { type = "f32", length = "135168", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["528"]
block = ["256"]
*/
extern "C" __global__ void arithmetic_add_constant(const float* __restrict__ x, float* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float a = x[i], b = a + 1, c = a + 2, d = a + 3, e = a * 2, f = a * 3, g = a * 5, h = a * 7;
#pragma unroll 4
    for (int k = 0; k < 64; ++k) {
        a = a + 1.5f; c = c + 2.5f; e = e + 3.5f; g = g + 4.5f; b = b + 1.25f; d = d + 2.25f; f = f + 3.25f; h = h + 4.25f;
    }
    z[i] = a + b + c + d + e + f + g + h;
}
