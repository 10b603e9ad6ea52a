/*
[kernel]
title   = "Prices that follow a random volatility: 64 steps of a path for each thread, normal numbers by Box and Muller"

[parameters]
paths = { default = 135168 }

[buffers]
payoffs = { type = "f32", length = "paths", fill = "zero" }

[launch]
arguments = ["payoffs", "paths"]
grid  = ["paths // 256"]
block = ["256"]
*/
extern "C" __global__ void heston_paths(float* __restrict__ payoffs, int paths) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= paths) return;
    unsigned state = i * 747796405u + 2891336453u;
    float price = 0, variance = 0.04f;
    for (int step = 0; step < 64; ++step) {
        state = state * 1664525u + 1013904223u;
        const float u = (state >> 8) * (1.0f / 16777216.0f) + 1e-7f;
        state = state * 1664525u + 1013904223u;
        const float v = (state >> 8) * (6.2831853f / 16777216.0f);
        const float r = sqrtf(-2.0f * __logf(u)), x = r * __cosf(v), y = r * __sinf(v);
        const float root = sqrtf(fmaxf(variance, 0.0f));
        price += -0.5f * variance * 0.0156f + root * 0.125f * x;
        variance += 1.5f * (0.04f - variance) * 0.0156f + 0.3f * root * 0.125f * (-0.6f * x + 0.8f * y);
    }
    payoffs[i] = fmaxf(__expf(price) - 1.0f, 0.0f);
}
