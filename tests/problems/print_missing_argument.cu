/*
[kernel]
title = "A conversion without a value"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void print_missing_argument(int* out) {
    const int lane = threadIdx.x;
#if FIXED
    out[lane] = printf("lane %d holds %d\n", lane, out[lane]);
#else
    out[lane] = printf("lane %d holds %d\n", lane);  // expect: uninitialised_read
#endif
}
