/*
[kernel]
title   = "Loads from DRAM, each after the last"
subject = "Timing probes"
lesson  = "The latency of DRAM."

[parameters]
ROUNDS = { default = 32, values = [32, 96], macro = true, help = "links of the chain" }

[buffers]
span = { type = "u64", length = "2" }
o = { type = "u32", length = "1025" }
x = { type = "u32", length = "131072" }

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

/// All words are 0; what is loaded is part of the next address all the same. 4 KiB from load to load.
extern "C" __global__ void dram_chase(unsigned* o, unsigned long long* span, const unsigned* x) {
    unsigned v = 0;
    long long t0 = now();
#pragma unroll
    for (int i = 0; i < ROUNDS; i++) asm volatile("ld.global.cv.u32 %0,[%1];" : "=r"(v) : "l"(x + i * 1024 + v) : "memory");
    long long t1 = now();
    span[0] = t0;
    span[1] = t1;
    o[threadIdx.x] = v;
}
