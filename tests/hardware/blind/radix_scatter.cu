/*
[kernel]
title   = "Radix sort, the scatter of a pass of 8 bits: ranks within a warp by matching, counts of warps in shared memory"

[parameters]
n = { default = 1081344 }

[buffers]
keys = { type = "u32", length = "n", fill = "random", seed = "422", below = "4294967295" }
begins = { type = "u32", length = "n // 2048 * 256", fill = "formula", value = "(i % 256) * (n // 256) + (i // 256) * 8" }
sorted = { type = "u32", length = "n * 2", fill = "zero" }

[launch]
arguments = ["keys", "begins", "sorted", "8"]
grid  = ["n // 2048"]
block = ["256"]
*/
extern "C" __global__ void radix_scatter(const unsigned* __restrict__ keys, const unsigned* __restrict__ begins,
                                         unsigned* __restrict__ sorted, int shift) {
    __shared__ unsigned counts[8][256];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = 0; i < 8; ++i) counts[i][threadIdx.x] = 0;
    __syncthreads();
    unsigned key[8], rank[8];
    for (int i = 0; i < 8; ++i) {
        key[i] = keys[blockIdx.x * 2048 + warp * 256 + i * 32 + lane];
        const unsigned digit = key[i] >> shift & 255;
        unsigned same = 0xffffffffu;
        for (int bit = 0; bit < 8; ++bit) {
            const unsigned votes = __ballot_sync(0xffffffffu, digit >> bit & 1);
            same &= digit >> bit & 1 ? votes : ~votes;
        }
        const unsigned before = counts[warp][digit];
        rank[i] = before + __popc(same & ((1u << lane) - 1));
        __syncwarp();
        if (__ffs(same) - 1 == lane) counts[warp][digit] = before + __popc(same);
        __syncwarp();
    }
    __syncthreads();
    unsigned sum = begins[blockIdx.x * 256 + threadIdx.x];
    for (int i = 0; i < 8; ++i) {
        const unsigned own = counts[i][threadIdx.x];
        counts[i][threadIdx.x] = sum;
        sum += own;
    }
    __syncthreads();
    for (int i = 0; i < 8; ++i) sorted[counts[warp][key[i] >> shift & 255] + rank[i]] = key[i];
}
