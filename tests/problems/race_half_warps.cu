/*
[kernel]
title = "Two halves of a warp meet only among themselves"

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

extern "C" __global__ void race_half_warps(float* out, const float* in) {
    __shared__ float row[32];
    const int i = threadIdx.x;
    const unsigned half = i < 16 ? 0x0000ffffu : 0xffff0000u;
    row[i] = in[i];  // expect: shared_race
    __syncwarp(half);
#if FIXED
    out[i] = row[i ^ 15];
#else
    out[i] = row[i ^ 16];  // expect: shared_race
#endif
}
