/*
[kernel]
title   = "Atomics in a loop"
subject = "Timing probes"
lesson  = "Atomics that do not wait for each other still wait at the end of each round."

[parameters]
SPACE = { default = "global", values = ["global", "shared"], macro = true, help = "where the word is" }
lanes = { default = 1, values = [1, 32], help = "lanes that take part, all at one address" }
n     = { default = 64, min = 1, max = 4096, help = "atomics" }
mask  = { default = 0, values = [0], help = "of the value that shared atomics take their address from" }

[buffers]
span = { type = "u64", length = "2" }
o    = { type = "u32", length = "32" }
x    = { type = "u32", length = "16" }

[launch]
arguments = ["o", "span", "x", "n", "mask"]
grid  = ["1"]
block = ["lanes"]
*/

// A microbenchmark behind h200_latency.csv; the cycles of an atomic follow from two lengths of the loop. In
// shared memory each takes its address from what the one before returned, in global memory they are summed.
__device__ __forceinline__ long long now() {
    long long c;
    asm volatile("mov.u64 %0,%%clock64;" : "=l"(c)::"memory");
    return c;
}
__device__ __forceinline__ unsigned next_global(unsigned v, unsigned* x, unsigned*, unsigned) { return v + atomicAdd(x, 1u); }
__device__ __forceinline__ unsigned next_shared(unsigned v, unsigned*, unsigned* m, unsigned mask) { return atomicAdd(m + (v & mask), 1u); }
#define PASTE(a, b) a##b
#define NEXT(space) PASTE(next_, space)

extern "C" __global__ void atomic_chain(unsigned* o, unsigned long long* span, unsigned* x, int n, unsigned mask) {
    __shared__ unsigned m[1];
    m[0] = 0;
    __syncthreads();
    unsigned v = threadIdx.x;
    long long t0 = now();
    for (int i = 0; i < n; i++) v = NEXT(SPACE)(v, x, m, mask);
    long long t1 = now();
    span[0] = t0;
    span[1] = t1;
    o[threadIdx.x] = v;
}
