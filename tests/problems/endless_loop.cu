/*
[kernel]
title = "A loop that steps over its end"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "u32", length = "32", fill = "zero" }

[launch]
arguments = ["out", "7"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void endless_loop(unsigned* out, unsigned n) {
    unsigned sum = 0;
#if FIXED
    for (unsigned i = 0; i < n; i += 2) sum ^= i * 3;
#else
#pragma unroll 1
    for (unsigned i = 0; i != n; i += 2) sum ^= i * 3;  // expect: endless_loop
#endif
    out[threadIdx.x] = sum;
}
