/*
[kernel]
title   = "A sum in one launch: each block adds its part, and the last one to end adds the parts of all"

[parameters]
n = { default = 2162688 }
blocks = { default = 264 }

[buffers]
numbers = { type = "u32", length = "n", fill = "random", seed = "1361", below = "1000" }
parts = { type = "u32", length = "blocks", fill = "zero" }
ended = { type = "u32", length = "1", fill = "zero" }
total = { type = "u32", length = "1", fill = "zero" }

[launch]
arguments = ["numbers", "parts", "ended", "total", "n"]
grid  = ["blocks"]
block = ["256"]
*/
__device__ unsigned sum_of_block(unsigned value, unsigned* shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int by = 128; by >= 32; by /= 2) {
        if (threadIdx.x < by) shared[threadIdx.x] = value += shared[threadIdx.x + by];
        __syncthreads();
    }
    if (threadIdx.x < 32)
        for (int by = 16; by > 0; by /= 2) value += __shfl_down_sync(0xffffffffu, value, by);
    return value;
}
extern "C" __global__ void last_block_sum(const unsigned* numbers, volatile unsigned* parts, unsigned* ended,
                                          unsigned* total, unsigned n) {
    __shared__ unsigned shared[256];
    __shared__ bool last;
    unsigned mine = 0;
    for (unsigned i = blockIdx.x * 512 + threadIdx.x; i < n; i += 512 * gridDim.x) {
        mine += numbers[i];
        if (i + 256 < n) mine += numbers[i + 256];
    }
    mine = sum_of_block(mine, shared);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = mine;
        __threadfence();
        last = atomicInc(ended, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        unsigned all = 0;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += 256) all += parts[i];
        all = sum_of_block(all, shared);
        if (threadIdx.x == 0) {
            *total = all;
            *ended = 0;
        }
    }
}
