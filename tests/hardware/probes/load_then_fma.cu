/*
[kernel]
title   = "A load, then arithmetic on it"
subject = "Timing probes"
lesson  = "Other warps' arithmetic hides a load's latency."

[parameters]
warps = { default = 1, values = [1, 2, 4, 8, 16, 32], help = "warps of the one block" }
n = { default = 64, min = 1, max = 4096, help = "rounds" }
fmas = { default = 0, min = 0, max = 512, help = "dependent multiply-adds after each load" }
mask = { default = 262143, help = "elements less one" }

[buffers]
span = { type = "u64", length = "2" }
o = { type = "f32", length = "1025" }
x = { type = "f32", length = "262144" }

[launch]
arguments = ["span", "o", "x", "n", "fmas", "mask"]
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

extern "C" __global__ void load_then_fma(Span* s, float* o, const float* x, int n, int k, int mask) {
    float v = 0;
    int j = threadIdx.x;
    __syncthreads();
    long long t0 = now();
    for (int i = 0; i < n; i++) {
        float u = __ldcg(x + (j & mask));
        j += blockDim.x;
        for (int q = 0; q < k; q++) asm volatile("fma.rn.f32 %0,%0,%0,%0;" : "+f"(u));
        v += u;
        asm volatile("" ::"f"(v));
        j += (int)(v * 0.f);
    }
    long long t1 = now();
    tell(s, t0, t1);
    o[1 + threadIdx.x] = v;
}
