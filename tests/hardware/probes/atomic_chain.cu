/*
[kernel]
title   = "Atomics, each after the last"
subject = "Timing probes"
lesson  = "Lanes at one address take turns."

[parameters]
ROUNDS = { default = 32, values = [32, 96], macro = true, help = "links of the chain" }
SPACE = { default = "global", values = ["global", "shared"], macro = true, help = "where the word is" }
lanes = { default = 1, values = [1, 32], help = "lanes that take part" }

[buffers]
span = { type = "u64", length = "2" }
o = { type = "u32", length = "1025" }
x = { type = "u32", length = "16" }

[launch]
arguments = ["o", "span", "x", "lanes"]
grid  = ["1"]
block = ["lanes"]
*/

// A microbenchmark behind h200_latency.csv: a chain; the cycles of a link follow from two lengths of it.
__device__ __forceinline__ long long now() {
    long long c;
    asm volatile("mov.u64 %0,%%clock64;" : "=l"(c)::"memory");
    return c;
}

#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)

/// Each adds what the one before returned.
extern "C" __global__ void atomic_chain(unsigned* o, unsigned long long* span, unsigned* x, int) {
    __shared__ unsigned m[1];
    m[0] = 0;
    __syncthreads();
    const unsigned long long generic_global = reinterpret_cast<unsigned long long>(x);
    (void)generic_global;
    const unsigned long long generic_shared = __cvta_generic_to_shared(m);
    (void)generic_shared;
#define PASTE(a, b) a##b
#define ADDRESS(space) PASTE(generic_, space)
    const unsigned long long p = ADDRESS(SPACE);
    unsigned v = threadIdx.x;
    long long t0 = now();
#pragma unroll
    for (int i = 0; i < ROUNDS; i++) asm volatile("atom." TEXT(SPACE) ".add.u32 %0,[%1],%0;" : "+r"(v) : "l"(p) : "memory");
    long long t1 = now();
    span[0] = t0;
    span[1] = t1;
    o[threadIdx.x] = v;
}
