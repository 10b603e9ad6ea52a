/*
[kernel]
title = "A barrier that counts a warp which never comes"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void deadlock_missing_warp(float* out) {
#if FIXED
    asm volatile("bar.sync 1, 64;" ::: "memory");
#else
    if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");  // expect: deadlock
#endif
    out[threadIdx.x] = 1.0f;
}
