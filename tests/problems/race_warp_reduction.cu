/*
[kernel]
title = "The last warp without __syncwarp"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void race_warp_reduction(float* out, const float* in) {
    __shared__ volatile float plain[1];
    __shared__ float sums[64];
    const int i = threadIdx.x;
    sums[i] = in[i];
    sums[i + 32] = in[i + 32];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        const float other = sums[i + (i < half ? half : 0)];  // expect: shared_race
#if FIXED
        __syncwarp();
#endif
        if (i < half) sums[i] += other;  // expect: shared_race
#if FIXED
        __syncwarp();
#endif
    }
    if (i == 0) {
        plain[0] = sums[0];
        out[0] = plain[0];
    }
}
