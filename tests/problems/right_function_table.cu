/*
[kernel]
title = "A table of functions, called with another one in each lane"

[buffers]
out = { type = "i32", length = "128", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["2"]
block = ["64"]
*/

typedef int (*Step)(int);
__device__ __noinline__ int twice(int value) { return 2 * value; }
__device__ __noinline__ int next(int value) { return value + 1; }
__device__ __noinline__ int halved(int value) { return value / 2; }
__device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
__device__ Step table[4] = {twice, next, halved, factorial};

extern "C" __global__ void right_function_table(int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = threadIdx.x % 8;
    for (int round = 0; round < 3; ++round) value = table[(i + round) % 4](value % 8);
    out[i] = value;
}
