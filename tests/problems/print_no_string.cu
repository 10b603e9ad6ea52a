/*
[kernel]
title = "A string that is no pointer"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void print_no_string(int* out) {
    const char* names[2] = {"even", "odd"};
    const int lane = threadIdx.x;
#if FIXED
    out[lane] = printf("lane %d is %s\n", lane, names[lane % 2]);
#else
    out[lane] = printf("lane %d is %s\n", lane, reinterpret_cast<const char*>(lane % 2 + 16ll));  // expect: out_of_bounds
#endif
    if (out[lane] < 0) out[lane] = names[lane % 2][0];
}
