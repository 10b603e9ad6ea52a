/*
[kernel]
title   = "additions and products"

[parameters]


[buffers]
x = { type = "f32", length = "135168", fill = "random", seed = "7" }
z = { type = "f32", length = "135168", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["528"]
block = ["256"]
*/
extern "C" __global__ void arithmetic_add_mul(const float* __restrict__ x, float* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float a = x[i], b = a + 1, c = a + 2, d = a + 3, e = a * 2, f = a * 3, g = a * 5, h = a * 7;
    unsigned p = __float_as_uint(a), q = p * 3, r = p * 5, s = p * 7;
#pragma unroll 4
    for (int k = 0; k < 64; ++k) {
        a = a + b; c = c * d; e = e + f; g = g * h; b = b + c; d = d * e; f = f + g; h = h * a;
    }
    z[i] = a + b + c + d + e + f + g + h + __uint_as_float(p ^ q ^ r ^ s);
}
