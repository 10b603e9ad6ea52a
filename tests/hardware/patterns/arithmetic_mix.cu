/*
[kernel]
title   = "Lorenz: differences, products and multiply-adds"

[parameters]


[buffers]
x = { type = "f32", length = "135168", fill = "random", seed = "7" }
z = { type = "f32", length = "135168", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["528"]
block = ["256"]
*/
extern "C" __global__ void arithmetic_mix(const float* __restrict__ x, float* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float a = x[i], b = a + 1, c = a + 2, d = a + 3, e = a * 2, f = a * 3, g = a * 5, h = a * 7;
    unsigned p = __float_as_uint(a), q = p * 3, r = p * 5, s = p * 7;
#pragma unroll 4
    for (int k = 0; k < 64; ++k) {
        const float dx = 10.0f * (b - a), dy = a * (28.0f - c) - b, dz = a * b - 2.667f * c; const float ex = 10.0f * (e - d), ey = d * (28.0f - f) - e, ez = d * e - 2.667f * f; a += 0.01f * dx; b += 0.01f * dy; c += 0.01f * dz; d += 0.01f * ex; e += 0.01f * ey; f += 0.01f * ez;
    }
    z[i] = a + b + c + d + e + f + g + h + __uint_as_float(p ^ q ^ r ^ s);
}
