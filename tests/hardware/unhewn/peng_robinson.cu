/*
[kernel]
title   = "Peng and Robinson: the compressibility of a gas by eight steps of Newton, then its fugacity"

[parameters]
blocks = { default = 528 }

[buffers]
pressures = { type = "f32", length = "blocks * 256", fill = "random", seed = "2231" }
temperatures = { type = "f32", length = "blocks * 256", fill = "random", seed = "2232" }
out = { type = "f32", length = "blocks * 512", fill = "zero" }

[launch]
arguments = ["pressures", "temperatures", "out"]
grid  = ["blocks"]
block = ["256"]
*/
extern "C" __global__ void peng_robinson(const float* __restrict__ pressures, const float* __restrict__ temperatures, float2* __restrict__ out) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float p = 0.1f + pressures[i], t = 1.0f + temperatures[i];
    const float root = 1 + 0.48f * (1 - sqrtf(t)), a = 0.45724f * p * root * root / (t * t), b = 0.0778f * p / t;
    float z = 1;
#pragma unroll 1
    for (int step = 0; step < 8; ++step) {
        const float value = ((z + b - 1) * z + a - 3 * b * b - 2 * b) * z - a * b + b * b + b * b * b;
        const float slope = (3 * z + 2 * (b - 1)) * z + a - 3 * b * b - 2 * b;
        z -= value / slope;
    }
    const float log_part = __logf((z + 2.4142f * b) / fmaxf(z - 0.4142f * b, 1e-3f));
    out[i] = make_float2(z, __expf(z - 1 - __logf(fmaxf(z - b, 1e-3f)) - a / (2.8284f * b) * log_part));
}
