/*
[kernel]
title   = "Codes of 2 to 14 bits packed side by side: a scan of their lengths per block, bits joined in shared memory by atomics"

[parameters]
blocks = { default = 1056 }

[buffers]
symbols = { type = "u8", length = "blocks * 512", fill = "random", seed = "1241", below = "64" }
lengths = { type = "u8", length = "64", fill = "formula", value = "2 + (i * 7) % 13" }
codes = { type = "u32", length = "64", fill = "formula", value = "(i * 2654435761 // 4096) % 16384" }
packed = { type = "u32", length = "blocks * 224", fill = "zero" }
bits = { type = "u32", length = "blocks", fill = "zero" }

[launch]
arguments = ["symbols", "lengths", "codes", "packed", "bits"]
grid  = ["blocks"]
block = ["256"]
*/
extern "C" __global__ void pack_codes(const unsigned char* __restrict__ symbols, const unsigned char* __restrict__ lengths,
                                      const unsigned* __restrict__ codes, unsigned* __restrict__ packed,
                                      unsigned* __restrict__ bits) {
    __shared__ unsigned words[224];
    __shared__ unsigned sums[8];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (t < 224) words[t] = 0;
    const unsigned char a = symbols[blockIdx.x * 512 + 2 * t], b = symbols[blockIdx.x * 512 + 2 * t + 1];
    const unsigned la = lengths[a], lb = lengths[b], length = la + lb;
    const unsigned code = (codes[a] & (1u << la) - 1) | (codes[b] & (1u << lb) - 1) << la;
    unsigned end = length;
    for (int by = 1; by < 32; by *= 2) {
        const unsigned other = __shfl_up_sync(0xffffffffu, end, by);
        if (lane >= by) end += other;
    }
    if (lane == 31) sums[warp] = end;
    __syncthreads();
    for (int w = 0; w < warp; ++w) end += sums[w];
    const unsigned begin = end - length, word = begin / 32, bit = begin % 32;
    atomicOr(&words[word], code << bit);
    if (bit + length > 32) atomicOr(&words[word + 1], code >> (32 - bit));
    if (t == 255) bits[blockIdx.x] = end;
    __syncthreads();
    if (t < 224) packed[blockIdx.x * 224 + t] = words[t];
}
