/*
[kernel]
title = "A kernel that gives up"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out", "3"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void trap(int* out, int n) {
#if FIXED
    if (n > 1000) __trap();
#else
    if (n > 2) __trap();  // expect: trap
#endif
    out[threadIdx.x] = n;
}
