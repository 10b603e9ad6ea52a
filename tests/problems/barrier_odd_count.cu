/*
[kernel]
title = "A barrier for 40 threads"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "40"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void barrier_odd_count(float* out, int count) {
#if FIXED
    asm volatile("bar.sync 1, 64;" ::: "memory");
#else
    asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory");  // expect: mismatched_barrier
#endif
    out[threadIdx.x] = 1.0f;
}
