/*
[kernel]
title = "A stencil that overwrites what the next block reads"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
data = { type = "f32", length = "256", fill = "iota" }
next = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["data", "next"]
grid  = ["4"]
block = ["64"]
*/

extern "C" __global__ void race_in_place(float* data, float* next) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float right = i < 255 ? data[i + 1] : 0.0f;  // expect: global_race
#if FIXED
    next[i] = right;
#else
    data[i] = right;  // expect: global_race
#endif
}
