/*
[kernel]
title = "A thread spins on a flag that nobody sets"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
flag = { type = "i32", length = "1", fill = "zero" }
out = { type = "i32", length = "64", fill = "zero" }

[launch]
arguments = ["flag", "out"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void waits_for_nobody(int* flag, int* out) {
#if FIXED
    if (threadIdx.x == 32) atomicExch(flag, 1);
#endif
    if (threadIdx.x == 0) {
        while (*static_cast<volatile int*>(flag) == 0) {}  // expect: endless_loop
    }
    out[threadIdx.x] = 1;
}
