/*
[kernel]
title   = "Each thread reads 48 words of its structure one after another (dram)"

[parameters]


[buffers]
from = { type = "f32", length = "6488064", fill = "random", seed = "7" }
out = { type = "f32", length = "135168", fill = "zero" }

[launch]
arguments = ["from", "out"]
grid  = ["528"]
block = ["256"]
*/
extern "C" __global__ void structures_48_dram(const float* __restrict__ from, float* __restrict__ out) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int round = 0; round < 1; ++round) {
        const float* own = from + 48 * (i);
#pragma unroll
        for (int k = 0; k < 48; ++k) sum += own[k] * (k + round);
    }
    out[i] = sum;
}
