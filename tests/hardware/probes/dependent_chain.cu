/*
[kernel]
title   = "A chain of one instruction"
subject = "Timing probes"
lesson  = "What one instruction after the other costs."

[parameters]
warps = { default = 1, values = [1, 2, 4, 8, 16, 32], help = "warps of the one block" }
ROUNDS = { default = 32, values = [32, 96], macro = true, help = "links of the chain" }
OP = { default = "ffma", values = ["ffma", "fadd", "imad", "dfma", "ex2", "bfly", "redux", "ballot"], macro = true, help = "instruction" }

[buffers]
span = { type = "u64", length = "2" }
o = { type = "f32", length = "1025" }

[launch]
arguments = ["o", "span"]
grid  = ["1"]
block = ["32 * warps"]
*/

// A microbenchmark behind h200_latency.csv: a chain, from whose length the cycles a round follow.
__device__ __forceinline__ long long now() {
    long long c;
    asm volatile("mov.u64 %0,%%clock64;" : "=l"(c)::"memory");
    return c;
}

__device__ __forceinline__ void step_ffma(float& v) { asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(v) : "f"(1.5f)); }
__device__ __forceinline__ void step_fadd(float& v) { asm volatile("add.f32 %0,%0,%1;" : "+f"(v) : "f"(1.5f)); }
__device__ __forceinline__ void step_ex2(float& v) { asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(v)); }
__device__ __forceinline__ void step_imad(int& v) { asm volatile("mad.lo.s32 %0,%0,%0,%0;" : "+r"(v)); }
__device__ __forceinline__ void step_bfly(int& v) { asm volatile("shfl.sync.bfly.b32 %0,%0,1,31,0xffffffff;" : "+r"(v)); }
__device__ __forceinline__ void step_redux(int& v) { asm volatile("redux.sync.add.s32 %0,%0,0xffffffff;" : "+r"(v)); }
__device__ __forceinline__ void step_ballot(int& v) {
    asm volatile("{ .reg .pred p; setp.ne.s32 p,%0,7; vote.sync.ballot.b32 %0,p,0xffffffff; }" : "+r"(v));
}
__device__ __forceinline__ void step_dfma(double& v) { asm volatile("fma.rn.f64 %0,%0,%0,%0;" : "+d"(v)); }
template <class T>
struct Chain {};
#define PASTE(a, b) a##b
#define STEP(op) PASTE(step_, op)
template <class T>
__device__ T argument(void (*)(T&));
using Value = decltype(argument(&STEP(OP)));

extern "C" __global__ void dependent_chain(float* o, unsigned long long* span) {
    Value v = static_cast<Value>(threadIdx.x);
    __syncthreads();
    long long t0 = now();
#pragma unroll
    for (int i = 0; i < ROUNDS; i++) STEP(OP)(v);
    long long t1 = now();
    span[0] = t0;
    span[1] = t1;
    o[1 + threadIdx.x] = static_cast<float>(v);
}
