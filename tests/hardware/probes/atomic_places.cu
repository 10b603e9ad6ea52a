/*
[kernel]
title   = "Atomics of all SMs at a number of places"
subject = "Timing probes"
lesson  = "L2 serves a place's atomics one after another: few places, or places in few slices, are a queue."

[parameters]
OP       = { default = "atom", values = ["atom", "red", "cas"], macro = true, help = "with a result, without, compare-and-swap" }
rounds   = { default = 32, min = 4, max = 4096, help = "atomics of a lane" }
low      = { default = 0, min = 0, max = 4095, help = "places side by side, less one" }
mid      = { default = 0, min = 0, max = 4095, help = "such groups, less one" }
high     = { default = 0, min = 0, max = 4095, help = "groups of these, less one" }
by_low   = { default = 1, min = 1, max = 65536, help = "words from place to place" }
by_mid   = { default = 16, min = 1, max = 65536, help = "words from group to group" }
by_high  = { default = 256, min = 1, max = 65536, help = "words from outer group to outer group" }
lanes    = { default = 1, values = [1, 2, 4, 8, 16, 32], help = "lanes of a warp that take part" }
blocks   = { default = 132, min = 1, max = 528, help = "blocks" }
threads  = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads a block" }

[buffers]
words = { type = "u32", length = "low * by_low + mid * by_mid + high * by_high + 1", fill = "zero" }
span  = { type = "u64", length = "blocks * 2" }
o     = { type = "u32", length = "blocks * threads" }

[launch]
arguments = ["words", "span", "o", "rounds", "low", "mid", "high", "by_low", "by_mid", "by_high", "lanes"]
grid  = ["blocks"]
block = ["threads"]
dynamic_shared_bytes = "120 * 1024"
*/

// A microbenchmark behind the atomics' table: which place a lane takes next is drawn, so that no order of the SMs helps.
__device__ __forceinline__ long long now() {
    long long c;
    asm volatile("mov.u64 %0,%%clock64;" : "=l"(c)::"memory");
    return c;
}
__device__ __forceinline__ unsigned at_atom(unsigned* p) {
    unsigned v;
    asm volatile("atom.global.add.u32 %0,[%1],1;" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ __forceinline__ unsigned at_cas(unsigned* p) {
    unsigned v;
    asm volatile("atom.global.cas.b32 %0,[%1],0,0;" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ __forceinline__ unsigned at_red(unsigned* p) {
    asm volatile("red.global.add.u32 [%0],1;" ::"l"(p) : "memory");
    return 0;
}
__device__ __forceinline__ unsigned drawn(unsigned h) {
    h = (h ^ h >> 16) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    return h ^ h >> 16;
}
#define PASTE(a, b) a##b
#define AT(op) PASTE(at_, op)

extern "C" __global__ void atomic_places(unsigned* words, long long* span, unsigned* o, int rounds, unsigned low, unsigned mid,
                                         unsigned high, unsigned by_low, unsigned by_mid, unsigned by_high, int lanes) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned total = 0;
    __syncthreads();
    const long long t0 = now();
    if (threadIdx.x % 32 < lanes) {
        for (int i = 0; i < rounds; i += 4) {
            unsigned v[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const unsigned h = drawn(thread * rounds + i + k);
                v[k] = AT(OP)(words + (h & low) * by_low + (h >> 12 & mid) * by_mid + (h >> 22 & high) * by_high);
            }
#pragma unroll
            for (int k = 0; k < 4; ++k) total += v[k];
        }
    }
    o[thread] = total;
    __syncthreads();
    const long long t1 = now();
    if (threadIdx.x == 0) {
        span[blockIdx.x * 2] = t0;
        span[blockIdx.x * 2 + 1] = t1;
    }
}
