/*
[kernel]
title   = "Additions and three times as many multiply-adds"

[parameters]


[buffers]
x = { type = "f32", length = "135168", fill = "random", seed = "3" }
z = { type = "f32", length = "135168", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["528"]
block = ["256"]
*/
extern "C" __global__ void arithmetic_add_quarter(const float* __restrict__ x, float* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float a = x[i], b = a + 1, c = a + 2, d = a + 3, e = a * 2, f = a * 3, g = a * 5, h = a * 7;
#pragma unroll 4
    for (int k = 0; k < 64; ++k) {
        a = a + b; c = fmaf(c, d, 0.5f); e = fmaf(e, f, 0.5f); g = fmaf(g, h, 0.5f); b = b + c; d = fmaf(d, e, 0.5f); f = fmaf(f, g, 0.5f); h = fmaf(h, a, 0.5f);
    }
    z[i] = a + b + c + d + e + f + g + h;
}
