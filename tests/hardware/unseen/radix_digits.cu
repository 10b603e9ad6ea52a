/*
[kernel]
title   = "Count of each 4-bit digit per block, in bytes packed in registers"

[parameters]
n = { default = 1048576 }

[buffers]
keys = { type = "u32", length = "n", fill = "random", seed = "105", below = "4294967295" }
counts = { type = "u32", length = "n // 4096 * 16", fill = "zero" }

[launch]
arguments = ["keys", "counts", "8"]
grid  = ["n // 4096"]
block = ["256"]
*/
extern "C" __global__ void radix_digits(const uint4* keys, unsigned* counts, int shift) {
    __shared__ unsigned sums[8][16];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned long long low = 0, high = 0;
    for (int i = 0; i < 4; ++i) {
        const uint4 four = keys[blockIdx.x * 1024 + i * 256 + threadIdx.x];
        const unsigned each[4] = {four.x, four.y, four.z, four.w};
        for (int k = 0; k < 4; ++k) {
            const unsigned digit = each[k] >> shift & 15;
            const unsigned long long one = 1ull << (digit % 8 * 8);
            if (digit < 8)
                low += one;
            else
                high += one;
        }
    }
    for (int digit = 0; digit < 16; ++digit) {
        const unsigned own = (digit < 8 ? low : high) >> (digit % 8 * 8) & 255;
        const unsigned sum = __reduce_add_sync(0xffffffffu, own);
        if (lane == digit) sums[warp][digit] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        unsigned sum = 0;
        for (int i = 0; i < 8; ++i) sum += sums[i][threadIdx.x];
        counts[threadIdx.x * gridDim.x + blockIdx.x] = sum;
    }
}
