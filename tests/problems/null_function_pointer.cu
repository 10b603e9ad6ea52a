/*
[kernel]
title = "A function pointer that was never set"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }
table = { type = "u64", length = "2", fill = "zero" }

[launch]
arguments = ["out", "table"]
grid  = ["1"]
block = ["32"]
*/

typedef int (*Step)(int);
__device__ __noinline__ int twice(int value) { return 2 * value; }
__device__ __noinline__ int next(int value) { return value + 1; }

extern "C" __global__ void null_function_pointer(int* out, Step* table) {
    const int lane = threadIdx.x;
    if (lane == 0) {
        table[0] = twice;
#if FIXED
        table[1] = next;
#endif
    }
    __syncthreads();
    out[lane] = table[lane % 2](lane);  // expect: out_of_bounds
}
