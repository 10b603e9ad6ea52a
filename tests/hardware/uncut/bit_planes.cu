/*
[kernel]
title   = "32 words of a warp transposed bit by bit in five rounds of shuffles"

[parameters]
n = { default = 1081344 }

[buffers]
words = { type = "u32", length = "n", fill = "random", seed = "881", below = "2147483648" }
planes = { type = "u32", length = "n", fill = "zero" }

[launch]
arguments = ["words", "planes", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
*/
extern "C" __global__ void bit_planes(const unsigned* __restrict__ words, unsigned* __restrict__ planes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned word = i < n ? words[i] : 0;
    const unsigned lane = threadIdx.x & 31;
    unsigned mask = 0xffff;
    for (int far = 16; far > 0; far >>= 1, mask ^= mask << far) {
        const unsigned other = __shfl_xor_sync(0xffffffffu, word, far);
        word = lane & far ? (word & mask << far) | (other >> far & mask) : (word & mask) | (other << far & mask << far);
    }
    if (i < n) planes[i] = word;
}
