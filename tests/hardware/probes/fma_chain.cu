/*
[kernel]
title   = "Chains of dependent multiply-adds"
subject = "Timing probes"
lesson  = "Independent chains and further warps fill the issue slots that one chain leaves."

[parameters]
warps = { default = 1, values = [1, 2, 4, 8, 16, 32], help = "warps of the one block" }
n = { default = 256, min = 1, max = 4096, help = "rounds" }
ILP = { default = 1, values = [1, 2, 4, 8], macro = true, help = "independent chains" }

[buffers]
span = { type = "u64", length = "2" }
o = { type = "f32", length = "1025" }

[launch]
arguments = ["span", "o", "n"]
grid  = ["1"]
block = ["32 * warps"]
*/

// One of the probes behind h200_timing.csv: the cycles between its two clock reads, first to last warp.
struct Span {
    unsigned long long first, last;
};
__device__ __forceinline__ void tell(Span* span, long long begin, long long end) {
    atomicMin(&span->first, static_cast<unsigned long long>(begin));
    atomicMax(&span->last, static_cast<unsigned long long>(end));
}
__device__ __forceinline__ long long now() {
    long long c;
    asm volatile("mov.u64 %0,%%clock64;" : "=l"(c)::"memory");
    return c;
}

extern "C" __global__ void fma_chain(Span* s, float* o, int n) {
    float v[ILP];
    for (int k = 0; k < ILP; k++) v[k] = threadIdx.x + k;
    float w = o[0];
    __syncthreads();
    long long t0 = now();
    for (int i = 0; i < n; i += 16) {
#pragma unroll
        for (int j = 0; j < 16; j++) {
#pragma unroll
            for (int k = 0; k < ILP; k++) asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(v[k]) : "f"(w));
        }
    }
    long long t1 = now();
    tell(s, t0, t1);
    float r = 0;
    for (int k = 0; k < ILP; k++) r += v[k];
    o[1 + threadIdx.x] = r;
}
