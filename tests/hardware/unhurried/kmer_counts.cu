/*
[kernel]
title   = "Words of 15 letters of a genome, the smaller of each and its other strand, counted in a table by atomics"

[parameters]
bases = { default = 270336 }

[buffers]
genome = { type = "u32", length = "bases // 16 + 2", fill = "random", seed = "1826", below = "4294967296" }
counts = { type = "u32", length = "1048576", fill = "zero" }

[launch]
arguments = ["genome", "counts", "bases"]
grid  = ["bases // 1024"]
block = ["256"]
*/
extern "C" __global__ void kmer_counts(const unsigned* __restrict__ genome, unsigned* counts, int bases) {
    const int begin = (blockIdx.x * 256 + threadIdx.x) * 4;
    const unsigned word = genome[begin / 16], next = genome[begin / 16 + 1];
    unsigned long long letters = (((unsigned long long)next << 32) | word) >> (begin % 16 * 2);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const unsigned kmer = letters & 0x3fffffffu;
        unsigned other = __brev(~kmer);
        other = (((other & 0xaaaaaaaau) >> 1) | ((other & 0x55555555u) << 1)) >> 2;
        unsigned hash = min(kmer, other) * 0x9e3779b1u;
        hash ^= hash >> 15;
        atomicAdd(counts + (hash & 1048575u), 1u);
        letters >>= 2;
    }
}
