/*
[kernel]
title = "A tree that meets only once"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["256"]
*/

extern "C" __global__ void race_reduction(float* out, const float* in) {
    __shared__ float sums[256];
    const int i = threadIdx.x;
    sums[i] = in[i];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (i < half) sums[i] += sums[i + half];  // expect: shared_race
#if FIXED
        __syncthreads();
#endif
    }
    if (i == 0) out[0] = sums[0];
}
