/*
[kernel]
title   = "Shuffles in a chain"
subject = "Timing probes"
lesson  = "Five shuffles and adds sum a warp."

[parameters]
warps = { default = 1, values = [1, 2, 4, 8, 16, 32], help = "warps of the one block" }
n = { default = 64, min = 1, max = 4096, help = "rounds" }

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

extern "C" __global__ void shuffle_reduce(Span* s, float* o, int n) {
    float v = threadIdx.x;
    __syncthreads();
    long long t0 = now();
    for (int i = 0; i < n; i++)
        for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    long long t1 = now();
    tell(s, t0, t1);
    o[1 + threadIdx.x] = v;
}
