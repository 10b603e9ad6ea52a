/*
[kernel]
title = "Warps that expect different numbers at one barrier"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["96"]
*/

extern "C" __global__ void barrier_counts_differ(float* out) {
#if FIXED
    asm volatile("bar.sync 2, 96;" ::: "memory");
#else
    if (threadIdx.x < 32)
        asm volatile("bar.sync 2, 96;" ::: "memory");  // expect: mismatched_barrier
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");  // expect: mismatched_barrier deadlock
#endif
    out[threadIdx.x] = 1.0f;
}
