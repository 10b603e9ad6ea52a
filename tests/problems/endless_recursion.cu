/*
[kernel]
title = "A recursion without an end"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "1024", fill = "zero" }

[launch]
arguments = ["out", "3"]
grid  = ["1"]
block = ["32"]
*/

__device__ __noinline__ int depth_of(int* out, int n) {
#if FIXED
    if (n <= 0) return 0;
#else
    if (out[n & 31] > 1000) return 0;
#endif
    out[n & 31] = threadIdx.x;
    __syncwarp();
    return depth_of(out, n - 1) * 3 + depth_of(out, n - 2);  // expect: stack_overflow
}
extern "C" __global__ void endless_recursion(int* out, int n) {
    const int depth = depth_of(out + 32 * threadIdx.x, n);
    out[32 * threadIdx.x] = depth;
}
