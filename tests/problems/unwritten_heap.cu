/*
[kernel]
title = "Memory from malloc that nobody has written"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void unwritten_heap(int* out) {
    volatile int* counts = static_cast<int*>(malloc(4 * sizeof(int)));
    if (!counts) return;
#if FIXED
    for (int i = 0; i < 4; ++i) counts[i] = 0;
#endif
    counts[threadIdx.x % 4] = counts[threadIdx.x % 4] + 1;  // expect: uninitialised_read
    out[threadIdx.x] = counts[threadIdx.x % 4];
    free(const_cast<int*>(counts));
}
