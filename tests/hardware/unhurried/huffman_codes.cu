/*
[kernel]
title   = "Bytes to codes of 2 to 9 bits: a table, a scan of lengths, and bits set in shared memory, 1024 bytes a block"

[parameters]
blocks = { default = 528 }

[buffers]
bytes = { type = "u8", length = "blocks * 1024", fill = "random", seed = "1835", below = "64" }
table = { type = "u32", length = "256", fill = "formula", value = "(i * 37 % 512) * 16 + 2 + i % 8" }
words = { type = "u32", length = "blocks * 288", fill = "zero" }
bits = { type = "u32", length = "blocks", fill = "zero" }

[launch]
arguments = ["bytes", "table", "words", "bits"]
grid  = ["blocks"]
block = ["256"]
*/
extern "C" __global__ void huffman_codes(const unsigned* __restrict__ bytes, const unsigned* __restrict__ table, unsigned* __restrict__ words,
                                         unsigned* __restrict__ bits) {
    __shared__ unsigned codes[256], packed[288], sums[8];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    codes[t] = table[t];
    for (int i = t; i < 288; i += 256) packed[i] = 0;
    const unsigned four = bytes[blockIdx.x * 256 + t];
    __syncthreads();
    unsigned long long code = 0;
    unsigned length = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const unsigned entry = codes[four >> (8 * k) & 255u], n = entry & 15u;
        code |= (unsigned long long)(entry >> 4 & ((1u << n) - 1u)) << length;
        length += n;
    }
    unsigned end = length;
    for (int offset = 1; offset < 32; offset *= 2) {
        const unsigned before = __shfl_up_sync(0xffffffffu, end, offset);
        if (lane >= offset) end += before;
    }
    if (lane == 31) sums[warp] = end;
    __syncthreads();
    unsigned begin = end - length;
    for (int k = 0; k < warp; ++k) begin += sums[k];
    const unsigned shift = begin % 32, at = begin / 32;
    atomicOr(&packed[at], (unsigned)(code << shift));
    const unsigned long long rest = shift ? code >> (32 - shift) : code >> 32;
    if (rest) atomicOr(&packed[at + 1], (unsigned)rest);
    if (rest >> 32) atomicOr(&packed[at + 2], (unsigned)(rest >> 32));
    if (t == 255) bits[blockIdx.x] = begin + length;
    __syncthreads();
    for (int i = t; i < 288; i += 256) words[blockIdx.x * 288 + i] = packed[i];
}
