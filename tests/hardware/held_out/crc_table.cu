/*
[kernel]
title   = "CRC-32 of records of 256 bytes, four tables in shared memory, one record per thread"

[parameters]
records = { default = 32768 }

[buffers]
words = { type = "u32", length = "records * 64", fill = "random", seed = "219", below = "4294967295" }
crcs = { type = "u32", length = "records", fill = "zero" }

[launch]
arguments = ["words", "crcs", "records"]
grid  = ["records // 128"]
block = ["128"]
*/
extern "C" __global__ void crc_table(const unsigned* __restrict__ words, unsigned* __restrict__ crcs, int records) {
    __shared__ unsigned table[4][256];
    for (unsigned i = threadIdx.x; i < 256; i += 128) {
        unsigned rest = i;
        for (int bit = 0; bit < 8; ++bit) rest = rest & 1 ? 0xedb88320u ^ (rest >> 1) : rest >> 1;
        table[0][i] = rest;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 256; i += 128)
        for (unsigned k = 1; k < 4; ++k) {
            unsigned rest = table[0][i];
            for (unsigned j = 0; j < k; ++j) rest = (rest >> 8) ^ table[0][rest & 255];
            table[k][i] = rest;
        }
    __syncthreads();
    const int record = blockIdx.x * 128 + threadIdx.x;
    unsigned crc = ~0u;
    for (int i = 0; i < 64; ++i) {
        crc ^= words[i * records + record];
        crc = table[3][crc & 255] ^ table[2][crc >> 8 & 255] ^ table[1][crc >> 16 & 255] ^ table[0][crc >> 24];
    }
    crcs[record] = ~crc;
}
