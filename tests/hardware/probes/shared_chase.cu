/*
[kernel]
title   = "Shared loads, each after the last"
subject = "Timing probes"
lesson  = "A conflict costs two cycles of latency a way."

[parameters]
warps = { default = 1, values = [1, 32], help = "warps of the one block" }
ROUNDS = { default = 32, values = [32, 96], macro = true, help = "links of the chain" }
stride = { default = 1, min = 0, max = 32, help = "words from lane to lane" }

[buffers]
span = { type = "u64", length = "2" }
o = { type = "u32", length = "1025" }

[launch]
arguments = ["o", "span", "stride"]
grid  = ["1"]
block = ["32 * warps"]
*/

// A microbenchmark behind h200_latency.csv: a chain; the cycles of a link follow from two lengths of it.
__device__ __forceinline__ long long now() {
    long long c;
    asm volatile("mov.u64 %0,%%clock64;" : "=l"(c)::"memory");
    return c;
}

/// Every word holds its own address.
extern "C" __global__ void shared_chase(unsigned* o, unsigned long long* span, int stride) {
    __shared__ unsigned m[1024];
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(m));
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) m[k] = base + k * 4;
    __syncthreads();
    unsigned v = base + (threadIdx.x & 31) * stride * 4;
    long long t0 = now();
#pragma unroll
    for (int i = 0; i < ROUNDS; i++) asm volatile("ld.shared.u32 %0,[%1];" : "=r"(v) : "r"(v) : "memory");
    long long t1 = now();
    span[0] = t0;
    span[1] = t1;
    o[threadIdx.x] = v;
}
