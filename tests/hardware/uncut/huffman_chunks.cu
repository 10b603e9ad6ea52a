/*
[kernel]
title   = "Chunks of a prefix code decoded bit by bit: one thread per chunk of 64 bits"

[parameters]
chunks = { default = 270336 }

[buffers]
bits = { type = "u64", length = "chunks", fill = "formula", value = "random(2147483648) * 4294967296 + random(2147483648)", seed = "831" }
symbols = { type = "u32", length = "chunks", fill = "zero" }
lengths = { type = "u8", length = "chunks", fill = "zero" }

[launch]
arguments = ["bits", "symbols", "lengths", "chunks"]
grid  = ["ceil_div(chunks, 128)"]
block = ["128"]
*/
extern "C" __global__ void huffman_chunks(const unsigned long long* __restrict__ bits, unsigned* __restrict__ symbols,
                                          unsigned char* __restrict__ lengths, int chunks) {
    const int chunk = blockIdx.x * blockDim.x + threadIdx.x;
    if (chunk >= chunks) return;
    unsigned long long left = bits[chunk];
    unsigned hash = 0;
    int count = 0, used = 0;
    while (used < 64) {
        int length = 1;
        while (length < 7 && (left & 1)) {
            left >>= 1;
            ++length;
        }
        left >>= 1;
        hash = hash * 31 + length;
        used += length;
        ++count;
    }
    symbols[chunk] = hash;
    lengths[chunk] = (unsigned char)count;
}
