/*
[kernel]
title   = "A stream of shared loads"
subject = "Timing probes"
lesson  = "Conflicts cost a wavefront each, and warps queue for the one pipe."

[parameters]
warps = { default = 1, values = [1, 2, 4, 8, 16, 32], help = "warps of the one block" }
n = { default = 256, min = 1, max = 4096, help = "rounds" }
ILP = { default = 1, values = [1, 4], macro = true, help = "independent chains" }
stride = { default = 1, min = 1, max = 32, help = "words from lane to lane" }

[buffers]
span = { type = "u64", length = "2" }
o = { type = "f32", length = "1025" }

[launch]
arguments = ["span", "o", "n", "stride"]
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

extern "C" __global__ void shared_stream(Span* s, float* o, int n, int stride) {
    __shared__ float m[8192];
    for (int k = threadIdx.x; k < 8192; k += blockDim.x) m[k] = k;
    __syncthreads();
    int base = (threadIdx.x & 31) * stride;
    float acc = 0;
    long long t0 = now();
    for (int i = 0; i < n; i++) {
        float v[ILP];
#pragma unroll
        for (int k = 0; k < ILP; k++) v[k] = *(volatile float*)&m[(base + k * 32 + i) & 8191];
#pragma unroll
        for (int k = 0; k < ILP; k++) acc += v[k];
    }
    long long t1 = now();
    tell(s, t0, t1);
    o[1 + threadIdx.x] = acc;
}
