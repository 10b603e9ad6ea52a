/*
[kernel]
title   = "Bitonic sort of each block's 1024 elements in shared memory"

[parameters]
blocks = { default = 64, min = 1, max = 4096 }

[buffers]
data = { type = "u32", length = "blocks * 1024", fill = "lcg", seed = "17", below = "1000000" }

[launch]
arguments = ["data"]
grid  = ["blocks"]
block = ["512"]
*/
extern "C" __global__ void bitonic_sort(unsigned* data) {
    __shared__ unsigned keys[1024];
    unsigned* part = data + blockIdx.x * 1024;
    keys[threadIdx.x] = part[threadIdx.x];
    keys[threadIdx.x + 512] = part[threadIdx.x + 512];
    for (unsigned size = 2; size <= 1024; size *= 2)
        for (unsigned distance = size / 2; distance > 0; distance /= 2) {
            __syncthreads();
            const unsigned low = 2 * threadIdx.x - (threadIdx.x & (distance - 1)), high = low + distance;
            const bool ascending = (low & size) == 0;
            const unsigned a = keys[low], b = keys[high];
            if ((a > b) == ascending) {
                keys[low] = b;
                keys[high] = a;
            }
        }
    __syncthreads();
    part[threadIdx.x] = keys[threadIdx.x];
    part[threadIdx.x + 512] = keys[threadIdx.x + 512];
}
