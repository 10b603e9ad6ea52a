/*
[kernel]
title = "Lanes of a warp need not run in step"

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

extern "C" __global__ void race_within_warp(float* out, const float* in) {
    __shared__ float row[32];
    const int i = threadIdx.x;
    row[i] = in[i];  // expect: shared_race
#if FIXED
    __syncwarp();
#endif
    out[i] = row[31 - i];  // expect: shared_race
}
