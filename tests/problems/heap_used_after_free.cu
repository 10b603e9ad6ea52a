/*
[kernel]
title = "Memory that was given back already"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void heap_used_after_free(int* out) {
    volatile int* mine = new int[4];
    mine[threadIdx.x % 4] = threadIdx.x;
#if FIXED
    out[threadIdx.x] = mine[threadIdx.x % 4];
    delete[] mine;
#else
    delete[] mine;
    out[threadIdx.x] = mine[threadIdx.x % 4];  // expect: out_of_bounds
#endif
}
