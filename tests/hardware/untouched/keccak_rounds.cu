/*
[kernel]
title   = "Keccak: 24 rounds over 25 words of 64 bits per thread, all in registers"

[parameters]
n = { default = 67584 }

[buffers]
nonces = { type = "u64", length = "n", fill = "random", seed = "735", below = "4294967295" }
hashes = { type = "u64", length = "n * 4", fill = "zero" }

[launch]
arguments = ["nonces", "hashes"]
grid  = ["n // 128"]
block = ["128"]
*/
typedef unsigned long long u64;
__constant__ u64 round_words[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
__device__ __forceinline__ u64 turned(u64 x, int by) { return x << by | x >> (64 - by); }
extern "C" __global__ void keccak_rounds(const u64* nonces, u64* hashes) {
    constexpr int places[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};
    constexpr int turns[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44};
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    u64 s[25] = {};
    s[0] = nonces[at];
    s[1] = 1;
    s[16] = 0x8000000000000000;
#pragma unroll 1
    for (int round = 0; round < 24; ++round) {
        u64 sums[5];
#pragma unroll
        for (int i = 0; i < 5; ++i) sums[i] = s[i] ^ s[i + 5] ^ s[i + 10] ^ s[i + 15] ^ s[i + 20];
#pragma unroll
        for (int i = 0; i < 5; ++i) {
            const u64 mix = sums[(i + 4) % 5] ^ turned(sums[(i + 1) % 5], 1);
#pragma unroll
            for (int j = 0; j < 25; j += 5) s[j + i] ^= mix;
        }
        u64 word = s[1];
#pragma unroll
        for (int i = 0; i < 24; ++i) {
            const u64 next = s[places[i]];
            s[places[i]] = turned(word, turns[i]);
            word = next;
        }
#pragma unroll
        for (int j = 0; j < 25; j += 5) {
            u64 row[5];
#pragma unroll
            for (int i = 0; i < 5; ++i) row[i] = s[j + i];
#pragma unroll
            for (int i = 0; i < 5; ++i) s[j + i] = row[i] ^ (~row[(i + 1) % 5] & row[(i + 2) % 5]);
        }
        s[0] ^= round_words[round];
    }
    for (int i = 0; i < 4; ++i) hashes[at * 4 + i] = s[i];
}
