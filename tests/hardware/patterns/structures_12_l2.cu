/*
[kernel]
title   = "Each thread reads 12 words of its structure one after another (l2)"

[parameters]


[buffers]
from = { type = "f32", length = "196608", fill = "random", seed = "7" }
out = { type = "f32", length = "135168", fill = "zero" }

[launch]
arguments = ["from", "out"]
grid  = ["528"]
block = ["256"]
*/
extern "C" __global__ void structures_12_l2(const float* __restrict__ from, float* __restrict__ out) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int round = 0; round < 1; ++round) {
        const float* own = from + 12 * ((i * 7 + round * 1031) % 16384);
#pragma unroll
        for (int k = 0; k < 12; ++k) sum += own[k] * (k + round);
    }
    out[i] = sum;
}
