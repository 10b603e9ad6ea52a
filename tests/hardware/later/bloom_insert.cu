/*
[kernel]
title   = "A Bloom filter of 512 KiB: four bits per key by atomic or, the places from two hashes"

[parameters]
keys = { default = 131072 }

[buffers]
list = { type = "u64", length = "keys", fill = "random", seed = "1013", below = "9007199254740991" }
filter = { type = "u32", length = "131072", fill = "zero" }

[launch]
arguments = ["list", "filter"]
grid  = ["keys // 256"]
block = ["256"]
*/
extern "C" __global__ void bloom_insert(const unsigned long long* __restrict__ list, unsigned* filter) {
    unsigned long long h = list[blockIdx.x * 256 + threadIdx.x];
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdull;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ull;
    h ^= h >> 33;
    const unsigned first = unsigned(h), next = unsigned(h >> 32) | 1;
    for (unsigned k = 0; k < 4; ++k) {
        const unsigned bit = first + k * next;
        atomicOr(filter + (bit >> 15), 1u << (bit & 31));
    }
}
