// Memory parameters: how many accesses a warp issues before it waits, latencies by width and by distinct lines,
// bandwidth of L1, of L2 to one SM and to all, of DRAM against resident warps, and atomics by address pattern.
// nvcc -O3 -arch=sm_90; prints CSV rows what,parameters,value,unit.
#include "probe_support.cuh"

Spans* spans;
unsigned* data;     // 1 GiB of zeros
unsigned* other;    // the same again
unsigned* sink;
constexpr size_t bytes = size_t{1} << 30;

// ---- how many independent accesses a warp issues before it waits -------------------------------------------
enum Access { lds, lds_8way, lds128, sts, sts_8way, ldg_l1, ldg_l1_32_lines, ldg_l2, ldg_l2_32_lines, ldg_l2_128, stg, stg_32_lines, red, atoms, shuffle, special };
constexpr const char* access_names[] = {"lds", "lds_8way", "lds128", "sts", "sts_8way", "ldg_l1", "ldg_l1_32_lines", "ldg_l2", "ldg_l2_32_lines", "ldg_l2_128", "stg", "stg_32_lines", "red", "atoms", "shfl", "mufu"};

template <int KIND>
__device__ __forceinline__ unsigned one_access(unsigned shared, const unsigned* global, unsigned v, int k) {
    unsigned r = 0, a, b, c;
    if (KIND == lds || KIND == lds_8way) asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(r) : "r"(shared + k * 128) : "memory");
    if (KIND == lds128) asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(r), "=r"(a), "=r"(b), "=r"(c) : "r"(shared + k * 512) : "memory");
    if (KIND == sts || KIND == sts_8way) asm volatile("st.volatile.shared.u32 [%0],%1;" ::"r"(shared + k * 128), "r"(v) : "memory");
    if (KIND == ldg_l1 || KIND == ldg_l1_32_lines) asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(r) : "l"(global + k * 32) : "memory");
    if (KIND == ldg_l2 || KIND == ldg_l2_32_lines) asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(r) : "l"(global + k * 32) : "memory");
    if (KIND == ldg_l2_128) asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(r), "=r"(a), "=r"(b), "=r"(c) : "l"(global + k * 128) : "memory");
    if (KIND == stg || KIND == stg_32_lines) asm volatile("st.global.u32 [%0],%1;" ::"l"(global + k * 32), "r"(v) : "memory");
    if (KIND == red) asm volatile("red.global.add.u32 [%0],%1;" ::"l"(global + k * 32), "r"(v) : "memory");
    if (KIND == atoms) asm volatile("atom.shared.add.u32 %0,[%1],%2;" : "=r"(r) : "r"(shared + k * 128), "r"(v) : "memory");
    if (KIND == shuffle) asm volatile("shfl.sync.bfly.b32 %0,%1,%2,31,0xffffffff;" : "=r"(r) : "r"(v), "r"(k));
    if (KIND == special) asm volatile("ex2.approx.ftz.f32 %0,%1;" : "=r"(r) : "r"(v + k));
    return r;
}

/// Warps whose bit is in `active` issue COUNT accesses between two clock reads; the others have left.
template <int KIND, int COUNT>
__global__ void burst(Span* s, unsigned* g, unsigned active, unsigned* out) {
    extern __shared__ unsigned memory[];
    constexpr bool ways = KIND == lds_8way || KIND == sts_8way;
    constexpr bool lines = KIND == ldg_l1_32_lines || KIND == ldg_l2_32_lines || KIND == stg_32_lines;
    constexpr int lane_bytes = lines ? 128 : ways ? 32 : KIND == lds128 || KIND == ldg_l2_128 ? 16 : 4;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x & 31;
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(memory)) + lane * lane_bytes;
    const unsigned* global = g + warp * 8192 + lane * lane_bytes / 4;
    unsigned total = 0;
    for (int r = 0; r < 3; r++) {
        __syncthreads();
        if ((active >> warp) & 1) {
            unsigned v[COUNT];
            const long long t0 = now();
#pragma unroll
            for (int k = 0; k < COUNT; k++) v[k] = one_access<KIND>(shared, global, lane, k);
            const long long t1 = now();
#pragma unroll
            for (int k = 0; k < COUNT; k++) total += v[k];
            if (lane == 0) s[warp] = {t0, t1};
        }
    }
    out[threadIdx.x] = total;
}

template <int KIND, int COUNT>
void burst_row() {
    cudaFuncAttributes attributes;
    CK(cudaFuncGetAttributes(&attributes, burst<KIND, COUNT>));
    if (attributes.maxThreadsPerBlock < 512) return;  // too many registers
    CK(cudaFuncSetAttribute(burst<KIND, COUNT>, cudaFuncAttributeMaxDynamicSharedMemorySize, 40960));
    for (unsigned active : {0x1u, 0x11u, 0xfu, 0xffffu}) {
        char q[96];
        std::snprintf(q, sizeof q, "%s count=%d active_warps=%#x", access_names[KIND], COUNT, active);
        const double t = repeat([&] { burst<KIND, COUNT><<<1, 512, 40960>>>(spans->device(), data, active, sink); },
                                [&] { auto v = spans->read(16); double most = 0; for (int w = 0; w < 16; w++) if ((active >> w) & 1) most = std::max(most, double(v[w].end - v[w].begin)); return most; });
        row("burst_issue", q, t, "cycles from before the first to after the last issue");
    }
}

template <int KIND>
void bursts() {
    burst_row<KIND, 1>(); burst_row<KIND, 2>(); burst_row<KIND, 3>(); burst_row<KIND, 4>(); burst_row<KIND, 6>(); burst_row<KIND, 8>();
    burst_row<KIND, 10>(); burst_row<KIND, 12>(); burst_row<KIND, 16>(); burst_row<KIND, 24>(); burst_row<KIND, 32>(); burst_row<KIND, 48>();
}

// ---- how long COUNT independent accesses of so many wavefronts take, results included ----------------------
template <int KIND, int COUNT>  // 0: load shared, 1: store shared then one load, 2: global load that hits L1
__global__ void drain(Span* s, const unsigned* g, unsigned active, int stride, unsigned* out) {
    extern __shared__ unsigned memory[];
    for (int k = threadIdx.x; k < 8192; k += blockDim.x) memory[k] = 0;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x & 31;
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(memory)) + lane * stride * 4;
    const unsigned* global = g + lane * stride;
    unsigned total = 0;
    for (int r = 0; r < 3; r++) {
        __syncthreads();
        if ((active >> warp) & 1) {
            unsigned v[COUNT];
            const long long t0 = now();
#pragma unroll
            for (int k = 0; k < COUNT; k++) {
                if (KIND == 0) asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(v[k]) : "r"(shared + k * 4) : "memory");
                if (KIND == 1) asm volatile("st.volatile.shared.u32 [%0],%1;" ::"r"(shared + k * 4), "r"(0) : "memory");
                if (KIND == 2) asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(v[k]) : "l"(global + k) : "memory");
            }
            if (KIND == 1) asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(v[0]) : "r"(shared) : "memory");
            unsigned sum = 0;
#pragma unroll
            for (int k = 0; k < (KIND == 1 ? 1 : COUNT); k++) sum += v[k];
            asm volatile("" ::"r"(sum) : "memory");
            if (sum == 12345) out[1] = sum;
            const long long t1 = now();
            total += sum;
            if (lane == 0) s[warp] = {t0, t1};
        }
    }
    out[threadIdx.x] = total;
}

template <int KIND, int COUNT>
void drain_row(const char* name) {
    for (unsigned active : {0x1u, 0x11u, 0xfu, 0xffu, 0xffffu}) for (int stride : {1, 2, 4, 8, 16, 32}) {
        char q[96];
        std::snprintf(q, sizeof q, "%s count=%d active_warps=%#x stride_words=%d", name, COUNT, active, stride);
        const double t = repeat([&] { drain<KIND, COUNT><<<1, 512, 36864>>>(spans->device(), data, active, stride, sink); },
                                [&] { auto v = spans->read(16); std::vector<Span> on; for (int w = 0; w < 16; w++) if ((active >> w) & 1) on.push_back(v[w]); return extent(on); });
        row("drain", q, t, "cycles from before the first issue to the last result");
    }
}

void drains() {
    drain_row<0, 1>("lds"); drain_row<0, 4>("lds"); drain_row<0, 16>("lds");
    drain_row<1, 1>("sts"); drain_row<1, 4>("sts"); drain_row<1, 16>("sts");
    drain_row<2, 1>("ldg_l1"); drain_row<2, 4>("ldg_l1"); drain_row<2, 16>("ldg_l1");
}

// ---- latency of one access that touches several lines, wide shared accesses --------------------------------
/// Loads whose address hangs on the last value (always 0): `stride` bytes from lane to lane.
template <int KIND>  // 0: ld.ca, 1: ld.cg, 2: shared 4 B, 3: shared 8 B, 4: shared 16 B, 5: store then load shared
__global__ void chase(Span* s, const unsigned* g, int stride, int n, unsigned* out) {
    extern __shared__ unsigned memory[];
    for (int k = threadIdx.x; k < 8192; k += blockDim.x) memory[k] = 0;
    __syncthreads();
    unsigned v = 0, a, b, c;
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(memory)) + ((threadIdx.x * stride) & 32767);
    const char* p = reinterpret_cast<const char*>(g) + threadIdx.x * stride;
    long long t0 = 0, t1 = 0;
    for (int r = 0; r < 3; r++) {
        t0 = now();
#pragma unroll 8
        for (int i = 0; i < n; i++) {
            if (KIND == 0) asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(v) : "l"(p + v) : "memory");
            if (KIND == 1) asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(v) : "l"(p + v) : "memory");
            if (KIND == 2) asm volatile("ld.shared.u32 %0,[%1];" : "=r"(v) : "r"(shared + v) : "memory");
            if (KIND == 3) asm volatile("ld.shared.v2.u32 {%0,%1},[%2];" : "=r"(v), "=r"(a) : "r"(shared + v) : "memory");
            if (KIND == 4) asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(v), "=r"(a), "=r"(b), "=r"(c) : "r"(shared + v) : "memory");
            if (KIND == 5) asm volatile("st.shared.u32 [%1],%2; ld.shared.u32 %0,[%1];" : "=r"(a) : "r"(shared), "r"(v) : "memory");
            if (KIND == 5) v = a;
        }
        t1 = now();
    }
    out[threadIdx.x] = v;
    if (threadIdx.x == 0) s[0] = {t0, t1};
}

template <int KIND>
void chase_rows(const char* name, std::initializer_list<int> strides) {
    for (int stride : strides) {
        auto time = [&](int n) { return repeat([&] { chase<KIND><<<1, 32, 32768>>>(spans->device(), data, stride, n, sink); }, [&] { return extent(spans->read(1)); }); };
        char q[64];
        std::snprintf(q, sizeof q, "%s lane_stride=%d", name, stride);
        row("latency", q, (time(192) - time(64)) / 128, "cycles");
    }
}

// ---- throughput of one SM and of all: a stream of requests over a set --------------------------------------
/// Kind of request: load .ca, load .cg, store, red, atom; WIDTH bytes per lane. Request q's lane l lies at
/// ((q * 32 + l) * stride) mod set + skew * l; `pattern` 1: a hash of the thread picks one of `set / 4` words.
enum Request { load_ca, load_cg, store, reduce, atomic };
constexpr const char* request_names[] = {"load_ca", "load_cg", "store", "red", "atom"};

template <int KIND, int WIDTH>
__global__ void __launch_bounds__(1024) stream(Span* s, char* base, unsigned set_mask, unsigned stride, unsigned skew, int pattern, int rounds, unsigned* out) {
    constexpr int ilp = WIDTH == 16 ? 2 : 4;
    const unsigned lane = threadIdx.x & 31;
    const unsigned warps = gridDim.x * (blockDim.x / 32), warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    unsigned total = 0;
    for (int warm = 0; warm < 2; warm++) {
        __syncthreads();
        const long long t0 = now();
        unsigned request = warp;
        for (int i = 0; i < rounds; i++) {
            unsigned v[ilp * 4];
#pragma unroll
            for (int k = 0; k < ilp; k++, request += warps) {
                unsigned offset = ((request * 32 + lane) * stride) & set_mask;
                if (pattern == 1) offset = (((request * 32 + lane) * 2654435761u) >> 8) * 4 & set_mask;
                if (pattern == 2) offset = (lane * stride) & set_mask;                       // all requests alike
                offset += skew * lane;
                char* p = base + offset;
                if (KIND == load_ca && WIDTH == 4) asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(v[k]) : "l"(p));
                if (KIND == load_cg && WIDTH == 4) asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(v[k]) : "l"(p));
                if (KIND == load_ca && WIDTH == 16) asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(v[k * 4]), "=r"(v[k * 4 + 1]), "=r"(v[k * 4 + 2]), "=r"(v[k * 4 + 3]) : "l"(p));
                if (KIND == load_cg && WIDTH == 16) asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(v[k * 4]), "=r"(v[k * 4 + 1]), "=r"(v[k * 4 + 2]), "=r"(v[k * 4 + 3]) : "l"(p));
                if (KIND == store && WIDTH == 4) asm volatile("st.global.u32 [%0],%1;" ::"l"(p), "r"(0) : "memory");
                if (KIND == store && WIDTH == 16) asm volatile("st.global.v4.u32 [%0],{%1,%1,%1,%1};" ::"l"(p), "r"(0) : "memory");
                if (KIND == reduce) asm volatile("red.global.add.u32 [%0],%1;" ::"l"(p), "r"(0) : "memory");
                if (KIND == atomic) asm volatile("atom.global.add.u32 %0,[%1],%2;" : "=r"(v[k]) : "l"(p), "r"(0) : "memory");
            }
            if (KIND == load_ca || KIND == load_cg || KIND == atomic) {
#pragma unroll
                for (int k = 0; k < ilp; k++) total += v[WIDTH == 16 ? k * 4 : k];
            }
        }
        const long long t1 = now();
        if (lane == 0) s[warp] = {t0, t1};
    }
    out[threadIdx.x] = total;
}

template <int KIND, int WIDTH>
void stream_row(const char* pattern_name, unsigned set_bytes, unsigned stride, unsigned skew, int pattern, int rounds, std::initializer_list<int> sm_counts, int threads = 1024) {
    CK(cudaFuncSetAttribute(stream<KIND, WIDTH>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 * 1024));
    for (int sms : sm_counts) {
        const int warps = sms * threads / 32;
        // Shared memory keeps one block an SM; loads through L1 keep half of it for the cache.
        const double cycles = repeat([&] { stream<KIND, WIDTH><<<sms, threads, 120 * 1024>>>(spans->device(), reinterpret_cast<char*>(data), set_bytes - 1, stride, skew, pattern, rounds, sink); },
                                     [&] { auto v = spans->read(warps); double sum = 0; for (int b = 0; b < sms; b++) sum += extent({v.begin() + b * threads / 32, v.begin() + (b + 1) * threads / 32}); return sum / sms; });
        const double requests = double(rounds) * (WIDTH == 16 ? 2 : 4) * threads / 32;
        char q[128];
        std::snprintf(q, sizeof q, "%s width=%d %s stride=%u skew=%u set_KiB=%u sms=%d warps=%d", request_names[KIND], WIDTH, pattern_name, stride, skew, set_bytes / 1024, sms, threads / 32);
        row("request_interval", q, cycles / requests, "cycles an SM");
    }
}

// ---- DRAM against resident warps ---------------------------------------------------------------------------
template <int MODE, int ILP>  // 0: read, 1: write, 2: copy
__global__ void dram(const float* x, float* y, size_t n) {
    extern __shared__ unsigned pad[];
    const size_t step = size_t{gridDim.x} * blockDim.x;
    float total = 0;
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += step * ILP) {
        float v[ILP];
#pragma unroll
        for (int k = 0; k < ILP; k++) v[k] = MODE == 1 ? 0.f : x[i + k * step];
#pragma unroll
        for (int k = 0; k < ILP; k++) {
            if (MODE == 0) total += v[k];
            else y[i + k * step] = v[k];
        }
    }
    if (MODE == 0 && total == 1.f) y[0] = total;
}

template <int MODE, int ILP>
void dram_rows(const char* name) {
    CK(cudaFuncSetAttribute(dram<MODE, ILP>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    cudaEvent_t a, b;
    CK(cudaEventCreate(&a));
    CK(cudaEventCreate(&b));
    for (int warps : {1, 2, 4, 8, 16, 32, 64}) {
        const int blocks = warps > 32 ? 2 : 1, threads = warps * 32 / blocks;
        const double ms = repeat([&] { CK(cudaEventRecord(a)); dram<MODE, ILP><<<132 * blocks, threads, (blocks == 1 ? 120 : 90) * 1024>>>((const float*)data, (float*)other, bytes / 4 / (132 * 1024 * 8) * (132 * 1024 * 8)); CK(cudaEventRecord(b)); },
                                 [&] { CK(cudaEventSynchronize(b)); float t; CK(cudaEventElapsedTime(&t, a, b)); return double(t); });
        char q[64];
        std::snprintf(q, sizeof q, "%s ilp=%d warps_per_sm=%d", name, ILP, warps);
        row("dram_bandwidth", q, (MODE == 2 ? 2 : 1) * double(bytes) / ms * 1e-6, "GB/s");
    }
}

/// Atomics that hang on each other: KIND 0: the value added is the one returned, 1: so is the address; 2: as 0
/// in shared memory; 3 and 4: independent, their results summed, in global and in shared memory. `apart` words from lane to lane.
template <int KIND>
__global__ void atomic_chase(Span* s, unsigned* g, int apart, int n, unsigned* out) {
    __shared__ unsigned m[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) m[k] = 0;
    __syncthreads();
    unsigned v = 0;
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(m)) + threadIdx.x * apart * 4;
    unsigned* p = g + threadIdx.x * apart;
    long long t0 = 0, t1 = 0;
    for (int r = 0; r < 2; r++) {
        t0 = now();
#pragma unroll 8
        for (int i = 0; i < n; i++) {
            if (KIND == 0) asm volatile("atom.global.add.u32 %0,[%1],%0;" : "+r"(v) : "l"(p) : "memory");
            if (KIND == 1) asm volatile("atom.global.add.u32 %0,[%1],%2;" : "=r"(v) : "l"(p + v), "r"(0) : "memory");
            if (KIND == 3) v += atomicAdd(p, 1u);
            if (KIND == 4) v += atomicAdd(&m[threadIdx.x * apart], 1u);
            if (KIND == 2) asm volatile("atom.shared.add.u32 %0,[%1],%0;" : "+r"(v) : "r"(shared) : "memory");
        }
        t1 = now();
    }
    out[threadIdx.x] = v;
    if (threadIdx.x == 0) s[0] = {t0, t1};
}

template <int KIND>
void atomic_rows(const char* name) {
    for (int lanes : {1, 32}) for (int apart : {0, 1, 8}) {
        auto time = [&](int n) { return repeat([&] { CK(cudaMemset(data, 0, 4096)); atomic_chase<KIND><<<1, lanes>>>(spans->device(), data, apart, n, sink); }, [&] { return extent(spans->read(1)); }); };
        char q[64];
        std::snprintf(q, sizeof q, "%s lanes=%d words_apart=%d", name, lanes, apart);
        row("latency", q, (time(192) - time(64)) / 128, "cycles");
    }
}

__global__ void pointer_chase(Span* s, const unsigned* g, unsigned stride, unsigned n, unsigned* out) {
    unsigned v = 0;
    const long long t0 = now();
    for (unsigned i = 0; i < n; i++) asm volatile("ld.global.cv.u32 %0,[%1];" : "=r"(v) : "l"(g + size_t{i} * stride + v) : "memory");
    out[0] = v;
    s[0] = {t0, now()};
}

int main() {
    spans = new Spans(132 * 64);
    CK(cudaMalloc(&data, bytes)); CK(cudaMalloc(&other, bytes)); CK(cudaMalloc(&sink, 1 << 20));
    CK(cudaMemset(data, 0, bytes)); CK(cudaMemset(other, 0, bytes));
    bursts<lds>(); bursts<lds_8way>(); bursts<lds128>(); bursts<sts>(); bursts<sts_8way>();
    bursts<ldg_l1>(); bursts<ldg_l1_32_lines>(); bursts<ldg_l2>(); bursts<ldg_l2_32_lines>(); bursts<ldg_l2_128>(); bursts<stg>(); bursts<stg_32_lines>();
    bursts<red>(); bursts<atoms>(); bursts<shuffle>(); bursts<special>();
    CK(cudaMemset(data, 0, bytes));
    drains();
    chase_rows<0>("l1_hit", {0, 4, 8, 16, 32, 64, 128, 132, 256, 512});
    chase_rows<1>("l2_hit", {0, 4, 8, 16, 32, 64, 128});
    chase_rows<2>("shared_4", {4}); chase_rows<3>("shared_8", {8}); chase_rows<4>("shared_16", {16}); chase_rows<5>("shared_store_load", {4});
    for (unsigned stride : {64u, 1024u, 32768u, 524288u}) {  // 256 B, 4 KiB, 128 KiB, 2 MiB
        char q[64];
        const unsigned n = unsigned(std::min<size_t>(8192, bytes / 4 / stride));
        // Writing the other gigabyte pushes this one out of L2.
        const double t = repeat([&] { CK(cudaMemset(other, 0, bytes)); pointer_chase<<<1, 1>>>(spans->device(), data, stride, n, sink); }, [&] { return extent(spans->read(1)); });
        std::snprintf(q, sizeof q, "dram stride_bytes=%u loads=%u", stride * 4, n);
        row("latency", q, t / n, "cycles");
    }
    // L1 hits: 4 KiB to 16 KiB sets; `stride` spreads lanes over lines, `skew` over banks.
    stream_row<load_ca, 4>("same", 16384, 4, 0, 2, 128, {1});
    for (unsigned stride : {8u, 16u, 32u, 64u, 128u}) stream_row<load_ca, 4>("same", 16384, stride, 0, 2, 128, {1});
    for (unsigned stride : {32u, 64u, 128u}) stream_row<load_ca, 4>("same", 16384, stride, 4, 2, 128, {1});
    stream_row<load_ca, 4>("same", 16384, 0, 0, 2, 128, {1});
    stream_row<load_ca, 16>("same", 16384, 16, 0, 2, 128, {1});
    stream_row<load_ca, 4>("stream", 16384, 4, 0, 0, 128, {1});
    stream_row<load_ca, 16>("stream", 16384, 16, 0, 0, 128, {1});
    // L2 to the SMs.
    for (unsigned set : {1u << 20, 1u << 23, 1u << 25}) {
        stream_row<load_cg, 4>("stream", set, 4, 0, 0, 256, {1, 2, 16, 66, 132});
        stream_row<load_cg, 16>("stream", set, 16, 0, 0, 128, {1, 2, 16, 66, 132});
    }
    for (unsigned stride : {8u, 16u, 32u, 64u, 128u}) stream_row<load_cg, 4>("stream", 1u << 23, stride, 0, 0, 64, {1, 132});
    for (unsigned stride : {32u, 128u}) stream_row<load_ca, 4>("stream", 1u << 23, stride, 0, 0, 64, {1, 132});
    stream_row<load_cg, 4>("hash", 1u << 23, 4, 0, 1, 64, {1, 132});
    for (int threads : {32, 128, 256, 512}) stream_row<load_cg, 4>("stream", 1u << 23, 4, 0, 0, 256, {1, 132}, threads);
    // Stores to L2.
    for (unsigned set : {1u << 20, 1u << 23}) {
        stream_row<store, 4>("stream", set, 4, 0, 0, 256, {1, 2, 16, 66, 132});
        stream_row<store, 16>("stream", set, 16, 0, 0, 128, {1, 132});
    }
    for (unsigned stride : {8u, 16u, 32u, 128u}) stream_row<store, 4>("stream", 1u << 23, stride, 0, 0, 64, {1, 132});
    // Atomics.
    atomic_rows<0>("atom_global value_chain"); atomic_rows<1>("atom_global address_chain"); atomic_rows<2>("atom_shared value_chain");
    atomic_rows<3>("atom_global independent"); atomic_rows<4>("atom_shared independent");
    for (unsigned set : {1u << 7, 1u << 9, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 16, 1u << 18, 1u << 22, 1u << 25}) {
        stream_row<reduce, 4>("hash", set, 4, 0, 1, 16, {132});
        stream_row<reduce, 4>("stream", set, 4, 0, 0, 16, {132});
    }
    for (int sms : {1, 16, 132}) {
        stream_row<reduce, 4>("one_address", 1u << 20, 0, 0, 2, 32, {sms});
        stream_row<reduce, 4>("one_line", 1u << 20, 4, 0, 2, 32, {sms});
        stream_row<reduce, 4>("same_32_sectors", 1u << 20, 32, 0, 2, 32, {sms});
        stream_row<reduce, 4>("stream", 1u << 20, 4, 0, 0, 64, {sms});
        stream_row<reduce, 4>("stream", 1u << 23, 32, 0, 0, 32, {sms});
        stream_row<reduce, 4>("hash", 1u << 10, 4, 0, 1, 32, {sms});
        stream_row<reduce, 4>("hash", 1u << 20, 4, 0, 1, 32, {sms});
        stream_row<atomic, 4>("one_address", 1u << 20, 0, 0, 2, 32, {sms});
        stream_row<atomic, 4>("one_line", 1u << 20, 4, 0, 2, 32, {sms});
        stream_row<atomic, 4>("stream", 1u << 20, 4, 0, 0, 64, {sms});
        stream_row<atomic, 4>("stream", 1u << 23, 32, 0, 0, 32, {sms});
        stream_row<atomic, 4>("hash", 1u << 10, 4, 0, 1, 32, {sms});
    }
    dram_rows<0, 1>("read"); dram_rows<0, 4>("read"); dram_rows<1, 1>("write"); dram_rows<1, 4>("write"); dram_rows<2, 1>("copy"); dram_rows<2, 4>("copy");
}
