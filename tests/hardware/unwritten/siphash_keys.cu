/*
[kernel]
title   = "SipHash-2-4 of keys of 32 bytes, one for each thread"

[parameters]
keys = { default = 168960 }

[buffers]
words = { type = "u64", length = "keys * 4", fill = "random", seed = "1609", below = "1000000007" }
hashes = { type = "u64", length = "keys", fill = "zero" }

[launch]
arguments = ["words", "hashes", "keys"]
grid  = ["keys // 256"]
block = ["256"]
*/
__device__ __forceinline__ unsigned long long turned(unsigned long long v, int by) { return v << by | v >> (64 - by); }
__device__ __forceinline__ void round_of(unsigned long long& a, unsigned long long& b, unsigned long long& c, unsigned long long& d) {
    a += b;
    b = turned(b, 13) ^ a;
    a = turned(a, 32);
    c += d;
    d = turned(d, 16) ^ c;
    a += d;
    d = turned(d, 21) ^ a;
    c += b;
    b = turned(b, 17) ^ c;
    c = turned(c, 32);
}
extern "C" __global__ void siphash_keys(const unsigned long long* __restrict__ words, unsigned long long* __restrict__ hashes, int keys) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= keys) return;
    unsigned long long a = 0x736f6d6570736575ull, b = 0x646f72616e646f6dull, c = 0x6c7967656e657261ull, d = 0x7465646279746573ull;
    for (int k = 0; k < 4; ++k) {
        const unsigned long long word = words[i * 4 + k];
        d ^= word;
        round_of(a, b, c, d);
        round_of(a, b, c, d);
        a ^= word;
    }
    d ^= 32ull << 56;
    round_of(a, b, c, d);
    round_of(a, b, c, d);
    a ^= 32ull << 56;
    c ^= 0xff;
    for (int k = 0; k < 4; ++k) round_of(a, b, c, d);
    hashes[i] = a ^ b ^ c ^ d;
}
