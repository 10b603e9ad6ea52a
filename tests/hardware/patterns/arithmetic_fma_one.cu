/*
[kernel]
title   = "multiply-adds of one register"

[parameters]


[buffers]
x = { type = "f32", length = "135168", fill = "random", seed = "7" }
z = { type = "f32", length = "135168", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["528"]
block = ["256"]
*/
extern "C" __global__ void arithmetic_fma_one(const float* __restrict__ x, float* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float a = x[i], b = a + 1, c = a + 2, d = a + 3, e = a * 2, f = a * 3, g = a * 5, h = a * 7;
#pragma unroll 4
    for (int k = 0; k < 64; ++k) {
        a = a * a + 0.5f; c = c * c + 0.5f; e = e * e + 0.5f; g = g * g + 0.5f; b = b * b + 0.25f; d = d * d + 0.25f; f = f * f + 0.25f; h = h * h + 0.25f;
    }
    z[i] = a + b + c + d + e + f + g + h;
}
