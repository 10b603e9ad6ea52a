/*
[kernel]
title = "Neighbouring blocks write one common element"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["4"]
block = ["64"]
*/

extern "C" __global__ void race_blocks_overlap(float* out) {
#if FIXED
    out[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
#else
    out[blockIdx.x * 63 + threadIdx.x] = blockIdx.x;  // expect: global_race
#endif
}
