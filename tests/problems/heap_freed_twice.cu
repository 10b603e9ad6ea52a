/*
[kernel]
title = "Memory that is given back twice"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void heap_freed_twice(int* out) {
    __shared__ int* ours;
    if (threadIdx.x == 0) ours = static_cast<int*>(malloc(32 * sizeof(int)));
    __syncthreads();
    if (!ours) return;
    ours[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = ours[31 - threadIdx.x];
    __syncthreads();
#if FIXED
    if (threadIdx.x == 0) free(ours);
#else
    free(ours);  // expect: out_of_bounds
#endif
}
