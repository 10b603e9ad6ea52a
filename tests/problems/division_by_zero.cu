/*
[kernel]
title = "A remainder by an argument that is 0"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out", "0"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void division_by_zero(int* out, int n) {
#if FIXED
    out[threadIdx.x] = n != 0 ? threadIdx.x % n : 0;
#else
    out[threadIdx.x] = threadIdx.x % n;  // expect: division_by_zero
#endif
}
