/*
[kernel]
title   = "HyperLogLog: 32 keys of each thread hashed, the rank of each kept in 1024 registers in shared memory, then in global memory"

[parameters]
blocks = { default = 264 }

[buffers]
keys = { type = "u32", length = "blocks * 8192", fill = "random", seed = "2111", below = "4294967295" }
registers = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["keys", "registers"]
grid  = ["blocks"]
block = ["256"]
*/
extern "C" __global__ void hyperloglog(const unsigned* __restrict__ keys, unsigned* __restrict__ registers) {
    __shared__ unsigned ranks[1024];
    for (int i = threadIdx.x; i < 1024; i += 256) ranks[i] = 0;
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 32; ++k) {
        unsigned h = keys[(blockIdx.x * 32 + k) * 256 + threadIdx.x];
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h ^= h >> 16;
        const unsigned rank = __clz(h << 10 | 1u) + 1, at = h >> 22;
        if (ranks[at] < rank) atomicMax(&ranks[at], rank);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 256) atomicMax(&registers[i], ranks[i]);
}
