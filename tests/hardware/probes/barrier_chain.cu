/*
[kernel]
title   = "Barrier after barrier"
subject = "Timing probes"
lesson  = "A barrier costs two cycles a warp on top."

[parameters]
warps = { default = 1, values = [1, 2, 4, 8, 16, 32], help = "warps of the one block" }
ROUNDS = { default = 32, values = [32, 96], macro = true, help = "links of the chain" }

[buffers]
span = { type = "u64", length = "2" }

[launch]
arguments = ["span"]
grid  = ["1"]
block = ["32 * warps"]
*/

// A microbenchmark behind h200_latency.csv: a chain; the cycles of a link follow from two lengths of it.
__device__ __forceinline__ long long now() {
    long long c;
    asm volatile("mov.u64 %0,%%clock64;" : "=l"(c)::"memory");
    return c;
}

extern "C" __global__ void barrier_chain(unsigned long long* span) {
    __syncthreads();
    long long t0 = now();
#pragma unroll
    for (int i = 0; i < ROUNDS; i++) asm volatile("bar.sync 0;" ::: "memory");
    long long t1 = now();
    span[0] = t0;
    span[1] = t1;
}
