/*
[kernel]
title   = "A sum in one launch: each block adds up its part, writes it behind a fence and counts itself, the last one adds up the parts"

[parameters]
blocks = { default = 528 }
each = { default = 4096 }

[buffers]
numbers = { type = "f32", length = "blocks * each", fill = "random", seed = "1413" }
parts = { type = "f32", length = "blocks", fill = "zero" }
count = { type = "u32", length = "1", fill = "zero" }
total = { type = "f32", length = "1", fill = "zero" }

[launch]
arguments = ["numbers", "parts", "count", "total", "blocks", "each"]
grid  = ["blocks"]
block = ["256"]
*/
__device__ inline float sum_of_block(float v, float* sums) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < 8 ? sums[threadIdx.x] : 0;
    if (threadIdx.x < 32)
        for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}
extern "C" __global__ void last_block_sum(const float4* __restrict__ numbers, volatile float* parts, unsigned* count,
                                          float* total, int blocks, int each) {
    __shared__ float sums[8];
    __shared__ bool last;
    float sum = 0;
    for (int i = threadIdx.x; i < each / 4; i += 256) {
        const float4 v = numbers[blockIdx.x * (each / 4) + i];
        sum += v.x + v.y + v.z + v.w;
    }
    sum = sum_of_block(sum, sums);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(count, blocks - 1) == unsigned(blocks - 1);
    }
    __syncthreads();
    if (!last) return;
    sum = 0;
    for (int i = threadIdx.x; i < blocks; i += 256) sum += parts[i];
    sum = sum_of_block(sum, sums);
    if (threadIdx.x == 0) *total = sum;
}
