/*
[kernel]
title   = "Least and largest values by colour: atomics in shared memory, and one each in global memory per block and colour"

[parameters]
n = { default = 2097152 }

[buffers]
colours = { type = "u8", length = "n", fill = "random", seed = "961", below = "64" }
values = { type = "i32", length = "n", fill = "random", seed = "962", below = "1000000" }
least = { type = "i32", length = "64", fill = "formula", value = "1000000" }
largest = { type = "i32", length = "64", fill = "zero" }

[launch]
arguments = ["colours", "values", "least", "largest", "n"]
grid  = ["528"]
block = ["256"]
*/
extern "C" __global__ void tile_extrema(const unsigned char* __restrict__ colours, const int* __restrict__ values,
                                        int* __restrict__ least, int* __restrict__ largest, int n) {
    __shared__ int low[64], high[64];
    if (threadIdx.x < 64) {
        low[threadIdx.x] = 1000000;
        high[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int colour = colours[i], value = values[i];
        if (value < low[colour]) atomicMin(&low[colour], value);
        if (value > high[colour]) atomicMax(&high[colour], value);
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        atomicMin(&least[threadIdx.x], low[threadIdx.x]);
        atomicMax(&largest[threadIdx.x], high[threadIdx.x]);
    }
}
