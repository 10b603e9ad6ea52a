/*
[kernel]
title   = "The k-th smallest of each row of 4096 keys: one block per row, four rounds of 8 bits with a histogram in shared memory"

[parameters]
rows = { default = 528 }

[buffers]
keys = { type = "u32", length = "rows * 4096", fill = "random", seed = "1231", below = "4294967295" }
kth = { type = "u32", length = "rows", fill = "zero" }

[launch]
arguments = ["keys", "kth", "1000"]
grid  = ["rows"]
block = ["256"]
*/
extern "C" __global__ void kth_radix(const unsigned* keys, unsigned* kth, unsigned k) {
    __shared__ unsigned counts[256];
    __shared__ unsigned chosen, before;
    const unsigned* row = keys + blockIdx.x * 4096;
    unsigned prefix = 0, mask = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        counts[threadIdx.x] = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < 4096; i += 256) {
            const unsigned key = row[i];
            if ((key & mask) == prefix) atomicAdd(&counts[key >> shift & 255], 1u);
        }
        __syncthreads();
        if (threadIdx.x < 32) {
            unsigned mine[8], sum = 0;
            for (int j = 0; j < 8; ++j) {
                mine[j] = counts[threadIdx.x * 8 + j];
                sum += mine[j];
            }
            unsigned scanned = sum;
            for (int by = 1; by < 32; by *= 2) {
                const unsigned other = __shfl_up_sync(0xffffffffu, scanned, by);
                if (threadIdx.x >= by) scanned += other;
            }
            unsigned below = scanned - sum;
            for (int j = 0; j < 8; ++j) {
                if (k >= below && k < below + mine[j]) {
                    chosen = threadIdx.x * 8 + j;
                    before = below;
                }
                below += mine[j];
            }
        }
        __syncthreads();
        prefix |= chosen << shift;
        mask |= 255u << shift;
        k -= before;
    }
    if (threadIdx.x == 0) kth[blockIdx.x] = prefix;
}
