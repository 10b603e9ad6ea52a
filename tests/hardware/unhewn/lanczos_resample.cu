/*
[kernel]
title   = "Lanczos: a signal at 160 of 147 times its rate, sixteen taps whose weights a table of 160 phases holds"

[parameters]
blocks = { default = 1056 }

[buffers]
signal = { type = "f32", length = "blocks * 256", fill = "random", seed = "2211" }
weights = { type = "f32", length = "160 * 16", fill = "random", seed = "2212" }
out = { type = "f32", length = "blocks * 256", fill = "zero" }

[launch]
arguments = ["signal", "weights", "out"]
grid  = ["blocks"]
block = ["256"]
*/
extern "C" __global__ void lanczos_resample(const float* __restrict__ signal, const float* __restrict__ weights, float* __restrict__ out) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x, count = gridDim.x * 256;
    const unsigned place = i * 147u / 160u, phase = i * 147u % 160u;
    float sum = 0;
#pragma unroll
    for (unsigned tap = 0; tap < 16; ++tap) {
        const unsigned at = min(place + tap, count - 1);
        sum = fmaf(signal[at], weights[phase * 16 + tap], sum);
    }
    out[i] = sum;
}
