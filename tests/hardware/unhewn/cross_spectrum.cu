/*
[kernel]
title   = "Spectra of two signals: their product with the one conjugate, normalized, added up over eight segments"

[parameters]
blocks = { default = 264 }

[buffers]
a = { type = "f32", length = "blocks * 4096", fill = "random", seed = "2301" }
b = { type = "f32", length = "blocks * 4096", fill = "random", seed = "2302" }
out = { type = "f32", length = "blocks * 512", fill = "zero" }

[launch]
arguments = ["a", "b", "out"]
grid  = ["blocks"]
block = ["256"]
*/
extern "C" __global__ void cross_spectrum(const float2* __restrict__ a, const float2* __restrict__ b, float2* __restrict__ out) {
    const int i = blockIdx.x * 256 + threadIdx.x, bins = gridDim.x * 256;
    float2 sum = make_float2(0, 0);
#pragma unroll 4
    for (int segment = 0; segment < 8; ++segment) {
        const float2 u = a[segment * bins + i], v = b[segment * bins + i];
        const float re = u.x * v.x + u.y * v.y, im = u.y * v.x - u.x * v.y, scale = rsqrtf(re * re + im * im + 1e-12f);
        sum.x += re * scale;
        sum.y += im * scale;
    }
    out[i] = sum;
}
