/*
[kernel]
title = "Blocks add to one word without an atomic"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["4"]
block = ["32"]
*/

extern "C" __global__ void race_blocks_sum(float* out) {
#if FIXED
    if (threadIdx.x == 0) atomicAdd(out, 1.0f);
#else
    if (threadIdx.x == 0) *out += 1.0f;  // expect: global_race
#endif
}
