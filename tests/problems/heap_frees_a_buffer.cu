/*
[kernel]
title = "Memory that malloc never gave"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void heap_frees_a_buffer(int* out) {
    int* scratch = static_cast<int*>(malloc(16));
    if (!scratch) return;
    scratch[0] = threadIdx.x;
    out[threadIdx.x] = scratch[0];
#if FIXED
    free(scratch);
#else
    free(threadIdx.x % 2 ? scratch : out);  // expect: out_of_bounds
#endif
}
