/*
[kernel]
title = "A named barrier that only some warps share"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["96"]
*/

extern "C" __global__ void race_named_barrier(float* out, const float* in) {
    __shared__ float row[96];
    const int i = threadIdx.x;
    row[i] = in[i];  // expect: shared_race
#if FIXED
    asm volatile("bar.sync 1, 96;" ::: "memory");
#else
    if (i < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
#endif
    out[i] = row[95 - i];  // expect: shared_race
}
