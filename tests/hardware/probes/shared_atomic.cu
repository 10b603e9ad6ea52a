/*
[kernel]
title   = "Shared atomics that meet"
subject = "Timing probes"
lesson  = "Lanes at one address take turns."

[parameters]
warps = { default = 1, values = [1, 2, 4, 8, 16, 32], help = "warps of the one block" }
n = { default = 64, min = 1, max = 4096, help = "rounds" }
degree = { default = 1, values = [1, 2, 8, 32], help = "lanes at one address" }

[buffers]
span = { type = "u64", length = "2" }
o = { type = "f32", length = "1025" }

[launch]
arguments = ["span", "o", "n", "degree"]
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

extern "C" __global__ void shared_atomic(Span* s, float* o, int n, int degree) {
    __shared__ int m[1024];
    m[threadIdx.x & 1023] = 0;
    __syncthreads();
    int a = (threadIdx.x & 31) / degree;
    long long t0 = now();
    int r = 0;
    for (int i = 0; i < n; i++) r += atomicAdd(&m[a], 1);
    long long t1 = now();
    tell(s, t0, t1);
    o[1 + threadIdx.x] = r;
}
