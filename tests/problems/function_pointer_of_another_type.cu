/*
[kernel]
title = "A function pointer of another type"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "i32", length = "32", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

typedef int (*Step)(int);
__device__ __noinline__ int scaled(int value, int factor) { return value * factor; }
__device__ __noinline__ int twice(int value) { return 2 * value; }
__device__ Step chosen[2];

extern "C" __global__ void function_pointer_of_another_type(int* out) {
    const int lane = threadIdx.x;
    if (lane == 0) {
        chosen[0] = twice;
#if FIXED
        chosen[1] = twice;
#else
        chosen[1] = reinterpret_cast<Step>(scaled);
#endif
    }
    __syncthreads();
    out[lane] = chosen[lane % 2](lane) + scaled(lane, 3);  // expect: out_of_bounds
}
