/*
[kernel]
title   = "Cached loads, each after the last"
subject = "Timing probes"
lesson  = "The latency of L1 and of L2."

[parameters]
ROUNDS = { default = 32, values = [32, 96], macro = true, help = "links of the chain" }
CACHE = { default = "ca", values = ["ca", "cg"], macro = true, help = "at all levels, or in L2 alone" }

[buffers]
span = { type = "u64", length = "2" }
o = { type = "u32", length = "1025" }
x = { type = "u64", length = "16" }

[launch]
arguments = ["o", "span", "x"]
grid  = ["1"]
block = ["32"]
*/

// A microbenchmark behind h200_latency.csv: a chain; the cycles of a link follow from two lengths of it.
__device__ __forceinline__ long long now() {
    long long c;
    asm volatile("mov.u64 %0,%%clock64;" : "=l"(c)::"memory");
    return c;
}

#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)

/// The word holds its own address.
extern "C" __global__ void cache_chase(unsigned* o, unsigned long long* span, unsigned long long* x) {
    if (threadIdx.x == 0) x[0] = reinterpret_cast<unsigned long long>(x);
    __syncthreads();
    unsigned long long v = reinterpret_cast<unsigned long long>(x);
    asm volatile("ld.global." TEXT(CACHE) ".u64 %0,[%1];" : "=l"(v) : "l"(v) : "memory");
    long long t0 = now();
#pragma unroll
    for (int i = 0; i < ROUNDS; i++) asm volatile("ld.global." TEXT(CACHE) ".u64 %0,[%1];" : "=l"(v) : "l"(v) : "memory");
    long long t1 = now();
    span[0] = t0;
    span[1] = t1;
    o[threadIdx.x] = static_cast<unsigned>(v);
}
