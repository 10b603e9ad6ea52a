// Instruction parameters of one SM: latency of dependent chains, issue interval of each pipe, how pipes share
// issue slots, how many accesses a warp can issue before it waits, instruction fetch, branches and divergence.
// nvcc -O3 -arch=sm_90; prints CSV rows what,parameters,value,unit.
#include "probe_support.cuh"

#define UNARY(NAME, T, C, ASM) \
    struct op_##NAME { using Type = T; static constexpr const char* name = #NAME; \
        static __device__ __forceinline__ void f(T& v, T b, T c) { asm volatile(ASM : "+" C(v) : C(b), C(c)); } };
UNARY(iadd_lop3, int, "r", "add.s32 %0,%0,%1; lop3.b32 %0,%0,%1,%2,0xd2;")
UNARY(lop3, int, "r", "lop3.b32 %0,%0,%1,%2,0xd2;")
UNARY(shf, int, "r", "shf.l.wrap.b32 %0,%0,%1,%2;")
UNARY(shl, int, "r", "shl.b32 %0,%0,%1;")
UNARY(prmt, int, "r", "prmt.b32 %0,%0,%1,%2;")
UNARY(imnmx, int, "r", "{ .reg .s32 t; min.s32 t,%0,%1; max.s32 %0,t,%2; }")
UNARY(isetp_sel, int, "r", "{ .reg .pred p; setp.lt.s32 p,%0,%1; selp.s32 %0,%1,%2,p; }")
UNARY(imad, int, "r", "mad.lo.s32 %0,%0,%1,%2;")
UNARY(imad_hi, int, "r", "mad.hi.s32 %0,%0,%1,%2;")
UNARY(imad_wide, long long, "l", "{ .reg .s32 a,b; mov.b64 {a,b},%0; mad.wide.s32 %0,a,7,%1; }")
UNARY(popc, int, "r", "{ .reg .u32 t; popc.b32 t,%0; add.u32 %0,t,%1; }")
UNARY(flo, int, "r", "{ .reg .u32 t; bfind.u32 t,%0; add.u32 %0,t,%1; }")
UNARY(brev, int, "r", "{ .reg .u32 t; brev.b32 t,%0; add.u32 %0,t,%1; }")
UNARY(iabs_add64, long long, "l", "add.s64 %0,%0,%1;")
UNARY(fadd, float, "f", "add.f32 %0,%0,%1;")
UNARY(fmul, float, "f", "mul.f32 %0,%0,%1;")
UNARY(ffma, float, "f", "fma.rn.f32 %0,%0,%1,%2;")
UNARY(fmnmx, float, "f", "{ .reg .f32 t; min.f32 t,%0,%1; max.f32 %0,t,%2; }")
UNARY(fsetp_fsel, float, "f", "{ .reg .pred p; setp.lt.f32 p,%0,%1; selp.f32 %0,%1,%2,p; }")
UNARY(hfma2, int, "r", "fma.rn.f16x2 %0,%0,%1,%2;")
UNARY(dadd, double, "d", "add.f64 %0,%0,%1;")
UNARY(dmul, double, "d", "mul.f64 %0,%0,%1;")
UNARY(dfma, double, "d", "fma.rn.f64 %0,%0,%1,%2;")
UNARY(mufu_rcp_fadd, float, "f", "{ rcp.approx.ftz.f32 %0,%0; add.f32 %0,%0,%1; }")
UNARY(mufu_rsq, float, "f", "rsqrt.approx.ftz.f32 %0,%0;")
UNARY(mufu_ex2, float, "f", "ex2.approx.ftz.f32 %0,%0;")
UNARY(mufu_lg2, float, "f", "lg2.approx.ftz.f32 %0,%0;")
UNARY(mufu_sin, float, "f", "sin.approx.ftz.f32 %0,%0;")
UNARY(f2i_i2f, float, "f", "{ .reg .s32 t; cvt.rzi.s32.f32 t,%0; cvt.rn.f32.s32 %0,t; }")
UNARY(f2f_64_32, float, "f", "{ .reg .f64 t; cvt.f64.f32 t,%0; cvt.rn.f32.f64 %0,t; }")
UNARY(f2f_16_32, float, "f", "{ .reg .b16 t; cvt.rn.f16.f32 t,%0; cvt.f32.f16 %0,t; }")
UNARY(i2f_f2i_64, long long, "l", "{ .reg .f64 t; cvt.rn.f64.s64 t,%0; cvt.rzi.s64.f64 %0,t; }")
UNARY(shfl, int, "r", "shfl.sync.bfly.b32 %0,%0,1,31,0xffffffff;")
UNARY(vote, int, "r", "{ .reg .pred p; setp.ne.s32 p,%0,%1; vote.sync.ballot.b32 %0,p,0xffffffff; }")
UNARY(match_any, int, "r", "match.any.sync.b32 %0,%0,0xffffffff;")
UNARY(redux, int, "r", "redux.sync.add.s32 %0,%0,0xffffffff;")
UNARY(s2r, int, "r", "{ .reg .pred p; setp.ne.s32 p,%0,%1; @p mov.u32 %0,%%smid; }")
UNARY(bar_warp, int, "r", "bar.warp.sync 0xffffffff;")
UNARY(membar_cta, int, "r", "membar.cta;")
UNARY(membar_gl, int, "r", "membar.gl;")
UNARY(nanosleep0, int, "r", "nanosleep.u32 0;")

template <class Op, int N, int ILP>
__global__ void chain(Span* spans, typename Op::Type b, typename Op::Type c, typename Op::Type* sink) {
    using T = typename Op::Type;
    T v[ILP];
    for (int k = 0; k < ILP; k++) v[k] = static_cast<T>(threadIdx.x + k + 1);
    long long t0 = 0, t1 = 0;
    for (int r = 0; r < 3; r++) {
        __syncthreads();
        t0 = now();
#pragma unroll
        for (int i = 0; i < N; i++) {
#pragma unroll
            for (int k = 0; k < ILP; k++) Op::f(v[k], b, c);
        }
        t1 = now();
    }
    for (int k = 0; k < ILP; k++) sink[threadIdx.x * ILP + k] = v[k];
    if ((threadIdx.x & 31) == 0) spans[threadIdx.x / 32] = {t0, t1};
}

/// The same as a loop of 16 rounds of N: little code, so that the instruction caches stay out of it.
template <class Op, int N, int ILP>
__global__ void small_chain(Span* spans, typename Op::Type b, typename Op::Type c, int rounds, typename Op::Type* sink) {
    using T = typename Op::Type;
    T v[ILP];
    for (int k = 0; k < ILP; k++) v[k] = static_cast<T>(threadIdx.x + k + 1);
    __syncthreads();
    const long long t0 = now();
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < N; i++) {
#pragma unroll
            for (int k = 0; k < ILP; k++) Op::f(v[k], b, c);
        }
    }
    const long long t1 = now();
    for (int k = 0; k < ILP; k++) sink[threadIdx.x * ILP + k] = v[k];
    if ((threadIdx.x & 31) == 0) spans[threadIdx.x / 32] = {t0, t1};
}

Spans* spans;
void* sink;

template <class Op, int N, int ILP>
void small_rows() {
    using T = typename Op::Type;
    for (int warps : {1, 4, 8, 16, 32}) {
        auto time = [&](int rounds) {
            return repeat([&] { small_chain<Op, N, ILP><<<1, warps * 32>>>(spans->device(), T(3), T(1), rounds, (T*)sink); },
                          [&] { return extent(spans->read(warps)); });
        };
        char q[96];
        std::snprintf(q, sizeof q, "%s body=%d ilp=%d warps=%d", Op::name, N, ILP, warps);
        row("loop_interval", q, (time(64) - time(16)) / (48.0 * N * ILP * std::max(1, warps / 4)), "cycles an instruction a scheduler, loop included");
    }
}

template <class Op, int N, int ILP>
double time_chain(int warps) {
    using T = typename Op::Type;
    return repeat([&] { chain<Op, N, ILP><<<1, warps * 32>>>(spans->device(), T(3), T(1), (T*)sink); },
                  [&] { return extent(spans->read(warps)); });
}

template <class Op>
void instruction() {
    char q[64];
    std::snprintf(q, sizeof q, "%s", Op::name);
    row("latency", q, (time_chain<Op, 128, 1>(1) - time_chain<Op, 32, 1>(1)) / 96, "cycles");
    row("one_warp_interval", q, (time_chain<Op, 64, 4>(1) - time_chain<Op, 16, 4>(1)) / (48 * 4), "cycles");
    for (int warps : {16, 32}) {
        std::snprintf(q, sizeof q, "%s warps=%d", Op::name, warps);
        row("scheduler_interval", q,
            (time_chain<Op, 64, 4>(warps) - time_chain<Op, 16, 4>(warps)) / (48 * 4 * (warps / 4)), "cycles");
    }
}

/// Which warp a scheduler takes: when each of the warps of scheduler 0 starts and ends the same stream.
template <class Op, int N, int ILP>
void progress(int warps) {
    using T = typename Op::Type;
    chain<Op, N, ILP><<<1, warps * 32>>>(spans->device(), T(3), T(1), (T*)sink);
    const auto v = spans->read(warps);
    long long first = v[0].begin;
    for (const Span& s : v) first = std::min(first, s.begin);
    for (int w = 0; w < warps; w += 4) {
        char q[96];
        std::snprintf(q, sizeof q, "%s instructions=%d ilp=%d warps=%d warp=%d", Op::name, N * ILP, ILP, warps, w);
        row("warp_begin", q, double(v[w].begin - first), "cycles from the first warp's begin");
        row("warp_end", q, double(v[w].end - first), "cycles from the first warp's begin");
    }
}

// Two kinds of instruction in one stream, independent of each other: cycles of a scheduler for the pair.
template <class A, class B, int N>
__global__ void mix(Span* spans, typename A::Type a1, typename A::Type a2, typename B::Type b1, typename B::Type b2, float* sink) {
    typename A::Type v[4];
    typename B::Type w[4];
    for (int k = 0; k < 4; k++) v[k] = threadIdx.x + k + 1, w[k] = threadIdx.x + k + 2;
    long long t0 = 0, t1 = 0;
    for (int r = 0; r < 3; r++) {
        __syncthreads();
        t0 = now();
#pragma unroll
        for (int i = 0; i < N; i++) {
            A::f(v[i & 3], a1, a2);
            B::f(w[i & 3], b1, b2);
        }
        t1 = now();
    }
    float s = 0;
    for (int k = 0; k < 4; k++) s += (float)v[k] + (float)w[k];
    sink[threadIdx.x] = s;
    if ((threadIdx.x & 31) == 0) spans[threadIdx.x / 32] = {t0, t1};
}

template <class A, class B>
void pair() {
    auto time = [&](auto kernel) {
        return repeat([&] { kernel<<<1, 512>>>(spans->device(), typename A::Type(3), typename A::Type(1), typename B::Type(3), typename B::Type(1), (float*)sink); },
                      [&] { return extent(spans->read(16)); });
    };
    char q[64];
    std::snprintf(q, sizeof q, "%s+%s", A::name, B::name);
    row("pair_interval", q, (time(mix<A, B, 256>) - time(mix<A, B, 64>)) / (192 * 4), "cycles a scheduler");
}

// Straight-line code: the first and later executions of N FFMAs.
template <int N, int ILP>
__global__ void straight(Span* spans, float b, float* sink) {
    float v[4] = {1.f * threadIdx.x, 2, 3, 4};
#pragma unroll 1
    for (int r = 0; r < 4; r++) {
        __syncthreads();
        long long t0 = now();
#pragma unroll
        for (int i = 0; i < N; i++) op_ffma::f(v[i & (ILP - 1)], b, b);
        long long t1 = now();
        if ((threadIdx.x & 31) == 0) spans[r * 32 + threadIdx.x / 32] = {t0, t1};
    }
    for (int k = 0; k < 4; k++) sink[threadIdx.x * 4 + k] = v[k];
}

template <int N, int ILP>
void fetch() {
    for (int warps : {1, 4, 32}) {
        for (int launch = 0; launch < 3; launch++) {
            straight<N, ILP><<<1, warps * 32>>>(spans->device(), 1.5f, (float*)sink);
            auto s = spans->read(128);
            for (int r : {0, 1, 3}) {
                char q[96];
                std::snprintf(q, sizeof q, "instructions=%d ilp=%d warps=%d launch=%d pass=%d", N, ILP, warps, launch, r);
                row("straight_line", q, extent({s.begin() + r * 32, s.begin() + r * 32 + warps}), "cycles");
            }
        }
    }
}

// A loop of BODY dependent FFMAs: the cost of going round.
template <int BODY>
__global__ void loop(Span* spans, float b, int n, float* sink) {
    float v = threadIdx.x;
    long long t0 = 0, t1 = 0;
    for (int r = 0; r < 2; r++) {
        __syncthreads();
        t0 = now();
#pragma unroll 1
        for (int i = 0; i < n; i++) {
#pragma unroll
            for (int k = 0; k < BODY; k++) op_ffma::f(v, b, b);
        }
        t1 = now();
    }
    sink[threadIdx.x] = v;
    if ((threadIdx.x & 31) == 0) spans[threadIdx.x / 32] = {t0, t1};
}

template <int BODY>
void loops() {
    for (int warps : {1, 4, 8, 16, 32}) {
        auto time = [&](int n) {
            return repeat([&] { loop<BODY><<<1, warps * 32>>>(spans->device(), 1.5f, n, (float*)sink); },
                          [&] { return extent(spans->read(warps)); });
        };
        char q[64];
        std::snprintf(q, sizeof q, "ffmas=%d warps=%d", BODY, warps);
        row("loop_round", q, (time(96) - time(32)) / 64, "cycles");
    }
}

/// Loop counted in a vector register, which the compiler can't know to be the same in all lanes.
template <int BODY>
__global__ void vector_loop(Span* spans, float b, const int* n_from, float* sink) {
    float v = threadIdx.x;
    const int n = n_from[threadIdx.x];
    __syncthreads();
    const long long t0 = now();
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < BODY; k++) op_ffma::f(v, b, b);
    }
    const long long t1 = now();
    sink[threadIdx.x] = v;
    if ((threadIdx.x & 31) == 0) spans[threadIdx.x / 32] = {t0, t1};
}

template <int BODY>
void vector_loops() {
    for (int warps : {1, 8, 32}) {
        auto time = [&](int n) {
            std::vector<int> counts(1024, n);
            CK(cudaMemcpy(sink, counts.data(), 4096, cudaMemcpyHostToDevice));
            return repeat([&] { vector_loop<BODY><<<1, warps * 32>>>(spans->device(), 1.5f, (int*)sink, (float*)sink + 4096); },
                          [&] { return extent(spans->read(warps)); });
        };
        char q[64];
        std::snprintf(q, sizeof q, "ffmas=%d warps=%d", BODY, warps);
        row("vector_loop_round", q, (time(96) - time(32)) / 64, "cycles");
    }
}

/// WAYS arms of ARM dependent FFMAs, one after the other; lanes are spread over `ways` of them.
template <int WAYS, int ARM>
__global__ void diverge(Span* spans, float b, int n, int ways, float* sink) {
    float v = threadIdx.x;
    const int arm = (threadIdx.x & 31) * ways / 32;
    __syncthreads();
    const long long t0 = now();
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int w = 0; w < WAYS; w++) {
            if (arm == w) {
#pragma unroll
                for (int k = 0; k < ARM; k++) asm volatile("fma.rn.f32 %0,%0,%1,%2;" : "+f"(v) : "f"(b), "f"(b + w));
            }
        }
    }
    const long long t1 = now();
    sink[threadIdx.x] = v;
    if ((threadIdx.x & 31) == 0) spans[threadIdx.x / 32] = {t0, t1};
}

/// One if with an else, both of ARM dependent FFMAs.
template <int ARM>
__global__ void if_else(Span* spans, float b, int n, int split, float* sink) {
    float v = threadIdx.x;
    const int lane = threadIdx.x & 31;
    __syncthreads();
    const long long t0 = now();
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (lane < split) {
#pragma unroll
            for (int k = 0; k < ARM; k++) asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(v) : "f"(b));
        } else {
#pragma unroll
            for (int k = 0; k < ARM; k++) asm volatile("fma.rn.f32 %0,%0,%0,%1;" : "+f"(v) : "f"(b));
        }
    }
    const long long t1 = now();
    sink[threadIdx.x] = v;
    if ((threadIdx.x & 31) == 0) spans[threadIdx.x / 32] = {t0, t1};
}

template <int ARM>
void if_else_rows() {
    for (int split : {0, 1, 16, 32}) {
        auto time = [&](int n) {
            return repeat([&] { if_else<ARM><<<1, 32>>>(spans->device(), 1.5f, n, split, (float*)sink); }, [&] { return extent(spans->read(1)); });
        };
        char q[64];
        std::snprintf(q, sizeof q, "ffmas=%d lanes_in_first_arm=%d", ARM, split);
        row("if_else_round", q, (time(96) - time(32)) / 64, "cycles");
    }
}

template <int WAYS, int ARM>
void divergence() {
    for (int ways = 1; ways <= WAYS; ways *= 2) {
        auto time = [&](int n) {
            return repeat([&] { diverge<WAYS, ARM><<<1, 32>>>(spans->device(), 1.5f, n, ways, (float*)sink); }, [&] { return extent(spans->read(1)); });
        };
        char q[64];
        std::snprintf(q, sizeof q, "branches=%d ffmas=%d ways_taken=%d", WAYS, ARM, ways);
        row("diverged_round", q, (time(96) - time(32)) / 64, "cycles");
    }
}

__constant__ int table[4096];
__global__ void constant_chase(Span* spans, int n, int* sink) {
    int v = threadIdx.x & 0;
    long long t0 = 0, t1 = 0;
    for (int r = 0; r < 2; r++) {
        t0 = now();
#pragma unroll 16
        for (int i = 0; i < n; i++) v = table[v];
        t1 = now();
    }
    sink[threadIdx.x] = v;
    if (threadIdx.x == 0) spans[0] = {t0, t1};
}

int main() {
    spans = new Spans(1024);
    CK(cudaMalloc(&sink, 1 << 20));
    instruction<op_iadd_lop3>(); instruction<op_lop3>(); instruction<op_shf>(); instruction<op_shl>(); instruction<op_prmt>(); instruction<op_imnmx>();
    instruction<op_isetp_sel>(); instruction<op_imad>(); instruction<op_imad_hi>(); instruction<op_imad_wide>(); instruction<op_iabs_add64>();
    instruction<op_popc>(); instruction<op_flo>(); instruction<op_brev>();
    instruction<op_fadd>(); instruction<op_fmul>(); instruction<op_ffma>(); instruction<op_fmnmx>(); instruction<op_fsetp_fsel>(); instruction<op_hfma2>();
    instruction<op_dadd>(); instruction<op_dmul>(); instruction<op_dfma>();
    instruction<op_mufu_rcp_fadd>(); instruction<op_mufu_rsq>(); instruction<op_mufu_ex2>(); instruction<op_mufu_lg2>(); instruction<op_mufu_sin>();
    instruction<op_f2i_i2f>(); instruction<op_f2f_64_32>(); instruction<op_f2f_16_32>(); instruction<op_i2f_f2i_64>();
    instruction<op_shfl>(); instruction<op_vote>(); instruction<op_match_any>(); instruction<op_redux>();
    instruction<op_s2r>(); instruction<op_bar_warp>(); instruction<op_membar_cta>(); instruction<op_membar_gl>(); instruction<op_nanosleep0>();
    pair<op_ffma, op_iadd_lop3>(); pair<op_ffma, op_imad>(); pair<op_ffma, op_lop3>(); pair<op_iadd_lop3, op_lop3>(); pair<op_ffma, op_fmnmx>(); pair<op_ffma, op_hfma2>();
    pair<op_imad, op_iadd_lop3>(); pair<op_ffma, op_mufu_ex2>(); pair<op_mufu_ex2, op_iadd_lop3>(); pair<op_shfl, op_mufu_ex2>(); pair<op_shfl, op_ffma>(); pair<op_ffma, op_dfma>();
    pair<op_popc, op_mufu_ex2>(); pair<op_shfl, op_vote>();
    fetch<64, 4>(); fetch<128, 4>(); fetch<256, 4>(); fetch<512, 4>(); fetch<1024, 4>(); fetch<2048, 4>(); fetch<4096, 4>(); fetch<16384, 4>();
    fetch<64, 1>(); fetch<128, 1>(); fetch<256, 1>(); fetch<512, 1>(); fetch<1024, 1>(); fetch<2048, 1>(); fetch<4096, 1>();
    loops<1>(); loops<2>(); loops<4>(); loops<8>(); loops<16>(); loops<64>(); loops<256>();
    vector_loops<1>(); vector_loops<4>(); vector_loops<16>(); vector_loops<64>();
    if_else_rows<16>(); if_else_rows<32>(); divergence<2, 32>(); divergence<8, 16>(); divergence<8, 32>();
    small_rows<op_ffma, 16, 1>(); small_rows<op_ffma, 16, 4>(); small_rows<op_lop3, 16, 1>(); small_rows<op_lop3, 16, 4>(); small_rows<op_imad, 16, 1>(); small_rows<op_imad, 16, 4>();
    small_rows<op_imad_wide, 16, 1>(); small_rows<op_imad_wide, 16, 4>(); small_rows<op_hfma2, 16, 4>(); small_rows<op_dfma, 16, 4>(); small_rows<op_mufu_ex2, 8, 4>(); small_rows<op_shfl, 8, 4>();
    small_rows<op_isetp_sel, 16, 4>(); small_rows<op_imnmx, 16, 4>(); small_rows<op_fmnmx, 16, 4>(); small_rows<op_popc, 8, 4>(); small_rows<op_iadd_lop3, 16, 4>(); small_rows<op_redux, 8, 4>();
    progress<op_ffma, 64, 4>(16); progress<op_ffma, 64, 1>(16); progress<op_lop3, 64, 4>(16); progress<op_mufu_ex2, 64, 1>(16); progress<op_mufu_ex2, 64, 1>(12); progress<op_mufu_ex2, 16, 4>(16);
    std::vector<int> zero(4096, 0);
    CK(cudaMemcpyToSymbol(table, zero.data(), sizeof table));
    auto chase = [&](int n) { return repeat([&] { constant_chase<<<1, 32>>>(spans->device(), n, (int*)sink); }, [&] { return extent(spans->read(1)); }); };
    row("latency", "ldc_indexed", (chase(512) - chase(128)) / 384, "cycles");
}
