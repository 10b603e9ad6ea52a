// Where L2 keeps things, and what that costs: atomics of all SMs at a number of places, which lines share a slice, loads
// beside atomics, and words written into planes.
// nvcc -O3 -arch=sm_90; prints CSV rows what,parameters,value,unit. An argument picks: atomics, slices, beside, writes, scatters, streams.
#include "probe_support.cuh"

#include <map>
#include <string>

namespace atom_probe {
#define OP atom
#define atomic_places atomic_places_atom
#include "probes/atomic_places.cu"
#undef OP
#undef atomic_places
}
namespace red_probe {
#define OP red
#define atomic_places atomic_places_red
#include "probes/atomic_places.cu"
#undef OP
#undef atomic_places
}
namespace cas_probe {
#define OP cas
#define atomic_places atomic_places_cas
#include "probes/atomic_places.cu"
#undef OP
#undef atomic_places
}

char* area;  // 1 GiB of zeros
char* far_away;
unsigned* sink;
constexpr size_t bytes = size_t{1} << 30;

struct Places {
    unsigned low, mid, high, by_low, by_mid, by_high;
};

/// Cycles for an atomic of a warp, mean of the SMs and the longest.
void atomic_row(const char* op, Places p, int lanes, int sms, int threads, int rounds) {
    static Span* spans = nullptr;
    if (!spans) CK(cudaMalloc(&spans, sizeof(Span) * 1024));
    const auto kernel = op[0] == 'a' ? atom_probe::atomic_places_atom : op[0] == 'r' ? red_probe::atomic_places_red : cas_probe::atomic_places_cas;
    CK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 * 1024));
    double longest = 0;
    const double mean = repeat([&] { kernel<<<sms, threads, 120 * 1024>>>((unsigned*)area, (long long*)spans, sink, rounds, p.low, p.mid, p.high, p.by_low, p.by_mid, p.by_high, lanes); },
                               [&] {
                                   CK(cudaDeviceSynchronize());
                                   std::vector<Span> host(sms);
                                   CK(cudaMemcpy(host.data(), spans, sizeof(Span) * sms, cudaMemcpyDeviceToHost));
                                   longest = 0;
                                   for (const Span& s : host) longest = std::max(longest, double(s.end - s.begin));
                                   return mean_length(host);
                               });
    char q[160];
    std::snprintf(q, sizeof q, "OP=%s low=%u mid=%u high=%u by_low=%u by_mid=%u by_high=%u lanes=%d blocks=%d threads=%d rounds=%d", op, p.low, p.mid, p.high, p.by_low, p.by_mid, p.by_high, lanes, sms, threads, rounds);
    row("atomics", q, mean, "cycles");
    row("atomics_longest", q, longest, "cycles");
}

void atomics() {
    for (int lanes : {1, 32}) {
        for (unsigned by : {1u, 8u, 32u, 128u, 256u, 1024u})
            for (unsigned places = 1; places <= 4096; places *= 2) {
                if (places == 1 && by > 1) continue;
                for (const char* op : {"atom", "red", "cas"})
                    if (op[0] == 'a' || by == 8 || by == 256 || places == 1) atomic_row(op, {places - 1, 0, 0, by, 16, 256}, lanes, 132, 256, 32);
            }
        for (int sms : {1, 4, 16, 66})
            for (unsigned places : {1u, 16u, 256u, 4096u})
                for (unsigned by : {8u, 256u}) atomic_row("atom", {places - 1, 0, 0, by, 16, 256}, lanes, sms, 256, 32);
    }
    for (int lanes : {2, 4, 8, 16}) {  // lanes at one address, in one sector, in one line, in a line each
        atomic_row("atom", {0, 0, 0, 1, 16, 256}, lanes, 132, 256, 32);
        atomic_row("atom", {7, 0, 0, 1, 16, 256}, lanes, 132, 256, 32);
        atomic_row("atom", {31, 0, 0, 1, 16, 256}, lanes, 132, 256, 32);
        atomic_row("atom", {4095, 0, 0, 32, 16, 256}, lanes, 132, 256, 32);
    }
    for (int threads : {32, 1024}) atomic_row("atom", {0, 0, 0, 1, 16, 256}, 1, 132, threads, 32);
    // 512 words: as the bins of colours lie, side by side, a sector each, by lines, by KiB.
    for (int threads : {256, 1024})
        for (const char* op : {"atom", "red"}) {
            atomic_row(op, {3, 7, 15, 1, 16, 256}, 32, 132, threads, 32);
            atomic_row(op, {511, 0, 0, 1, 16, 256}, 32, 132, threads, 32);
            atomic_row(op, {511, 0, 0, 8, 16, 256}, 32, 132, threads, 32);
            atomic_row(op, {511, 0, 0, 32, 16, 256}, 32, 132, threads, 32);
            atomic_row(op, {31, 15, 0, 1, 256, 256}, 32, 132, threads, 32);
        }
}

// ---- which lines share a slice -----------------------------------------------------------------------------
/// Lane 0 of each warp has atomics at one place, lane 1 at another: twice as long if one slice serves both.
__global__ void pair(Span* spans, char* one, char* other, unsigned* out, int rounds) {
    unsigned total = 0;
    const long long t0 = now();
    if (threadIdx.x % 32 < 2) {
        char* p = threadIdx.x % 32 == 0 ? one : other;
        for (int i = 0; i < rounds; i += 8) {
            unsigned v[8];
#pragma unroll
            for (int k = 0; k < 8; ++k) asm volatile("atom.global.add.u32 %0,[%1],0;" : "=r"(v[k]) : "l"(p) : "memory");
#pragma unroll
            for (int k = 0; k < 8; ++k) total += v[k];
        }
    }
    const long long t1 = now();
    if (threadIdx.x % 32 == 0) {
        out[blockIdx.x * blockDim.x + threadIdx.x] = total;
        spans[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = {t0, t1};
    }
}

/// Mean cycles of `pair` for each offset beside `reference`.
std::vector<double> beside(size_t reference, const std::vector<size_t>& offsets) {
    constexpr int warps = 132 * 4;
    static Span* spans = nullptr;
    constexpr size_t most = 4096;
    if (!spans) CK(cudaMalloc(&spans, sizeof(Span) * warps * most));
    std::vector<Span> host(warps * offsets.size());
    for (size_t i = 0; i < offsets.size(); ++i) pair<<<132, 128>>>(spans + i * warps, area + reference, area + offsets[i], sink, 8);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaMemcpy(host.data(), spans, sizeof(Span) * host.size(), cudaMemcpyDeviceToHost));
    std::vector<double> cycles;
    for (size_t i = 0; i < offsets.size(); ++i) cycles.push_back(mean_length({host.begin() + i * warps, host.begin() + (i + 1) * warps}));
    return cycles;
}

void slices() {
    std::printf("# area at %p\n", (void*)area);
    // Sectors of two KiB beside the first one.
    std::vector<size_t> sectors;
    for (size_t s = 0; s < 256; ++s) sectors.push_back(s * 32);
    beside(0, sectors);
    for (size_t reference : {size_t{0}, size_t{32}, size_t{512}}) {
        const auto cycles = beside(reference, sectors);
        for (size_t i = 0; i < sectors.size(); ++i) {
            char q[64];
            std::snprintf(q, sizeof q, "sector=%zu beside=%zu", sectors[i], reference);
            row("pair", q, cycles[i], "cycles");
        }
    }
    // Classes of the lines of 512 KiB.
    std::vector<size_t> lines;
    for (size_t line = 0; line < 4096; ++line) lines.push_back(line * 128);
    std::map<size_t, int> of;
    int classes = 0;
    for (; !lines.empty() && classes < 160; ++classes) {
        const size_t reference = lines.front();
        const auto cycles = beside(reference, lines);
        std::vector<double> sorted(cycles.begin() + 1, cycles.end());
        const double usual = sorted.size() > 8 ? median(sorted) : cycles[0] / 2;
        std::printf("# class %d at %zu: itself %.0f, median %.0f\n", classes, reference, cycles[0], usual);
        std::vector<size_t> left;
        for (size_t i = 0; i < lines.size(); ++i) {
            if (cycles[i] > (usual + cycles[0]) / 2 || i == 0) of[lines[i]] = classes;
            else left.push_back(lines[i]);
        }
        lines = left;
    }
    std::printf("# %d classes, %zu lines left\n", classes, lines.size());
    for (const auto& [line, number] : of) std::printf("slice,line=%zu,%d,class\n", line, number);
}

// ---- loads beside atomics ----------------------------------------------------------------------------------
/// Half of the warps have atomics at one place, the others a chain of loads of another.
__global__ void loads_beside(Span* spans, unsigned* atomics, const unsigned* loads, unsigned* out, int rounds, int busy) {
    unsigned total = 0;
    const int warp = threadIdx.x / 32;
    __syncthreads();
    const long long t0 = now();
    if (threadIdx.x % 32 == 0) {
        if (warp % 2 == 0) {
            for (int i = 0; busy && i < rounds * 8; ++i) {
                unsigned v;
                asm volatile("atom.global.add.u32 %0,[%1],0;" : "=r"(v) : "l"(atomics) : "memory");
                total += v;
            }
        } else {
            for (int i = 0; i < rounds; ++i) asm volatile("ld.relaxed.gpu.global.u32 %0,[%1];" : "=r"(total) : "l"(loads + total) : "memory");
        }
        spans[blockIdx.x * (blockDim.x / 32) + warp] = {t0, now()};
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

void loads() {
    Spans spans(132 * 16);
    for (int busy : {0, 1})
        for (int apart : {0, 8, 32, 128, 256, 1024, 4096, 16384}) {
            const int warps = 132 * 16;
            CK(cudaMemset(area, 0, 1 << 20));
            const double t = repeat([&] { loads_beside<<<132, 512>>>(spans.device(), (unsigned*)area, (unsigned*)area + apart, sink, 16, busy); },
                                    [&] { auto v = spans.read(warps); double sum = 0; for (int w = 1; w < warps; w += 2) sum += double(v[w].end - v[w].begin); return sum / (warps / 2) / 16; });
            char q[64];
            std::snprintf(q, sizeof q, "atomics=%d words_apart=%d", busy, apart);
            row("load_beside", q, t, "cycles");
        }
}

// ---- writes into planes ------------------------------------------------------------------------------------
/// As probes/write_planes.cu, with the SM that a block runs on.
struct Stay {
    long long begin, end;
    unsigned sm, block;
};
template <int PLANES>
__global__ void planes(Stay* stays, float* out, size_t plane, int fence) {
    const long long t0 = now();
    const size_t i = blockIdx.x * size_t{128} + threadIdx.x;
#pragma unroll
    for (int k = 0; k < PLANES; ++k) out[k * plane + i] = float(k);
    if (fence) __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
        stays[blockIdx.x] = {t0, now(), sm, blockIdx.x};
    }
}
__global__ void read_all(const uint4* from, unsigned* out, size_t n) {
    unsigned total = 0;
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x) total += from[i].x;
    if (total == 12345) out[0] = total;
}
/// Leaves L2 with clean lines of nobody's.
void clean() { read_all<<<1056, 512>>>((const uint4*)far_away, sink, (size_t{256} << 20) / 16); }

template <int PLANES>
void write_row(size_t total, size_t plane_bytes, int dirty) {
    const size_t words = total / 4 / PLANES, blocks = words / 128;
    if (blocks == 0 || plane_bytes * (PLANES - 1) + words * 4 > bytes) return;
    static Stay* stays = nullptr;
    if (!stays) CK(cudaMalloc(&stays, sizeof(Stay) << 20));
    double mean = 0;
    const double longest = repeat([&] { if (dirty) CK(cudaMemset(far_away, 0, size_t{256} << 20)); else clean(); planes<PLANES><<<blocks, 128>>>(stays, (float*)area, plane_bytes / 4, 1); },
                                  [&] {
                                      CK(cudaDeviceSynchronize());
                                      std::vector<Stay> host(blocks);
                                      CK(cudaMemcpy(host.data(), stays, sizeof(Stay) * blocks, cudaMemcpyDeviceToHost));
                                      std::map<unsigned, Span> sms;
                                      for (const Stay& s : host) {
                                          const auto [at, fresh] = sms.try_emplace(s.sm, Span{s.begin, s.end});
                                          at->second.begin = std::min(at->second.begin, s.begin);
                                          at->second.end = std::max(at->second.end, s.end);
                                      }
                                      double most = 0;
                                      mean = 0;
                                      for (const auto& [sm, span] : sms) most = std::max(most, double(span.end - span.begin)), mean += double(span.end - span.begin) / sms.size();
                                      return most;
                                  });
    char q[128];
    std::snprintf(q, sizeof q, "planes=%d MiB=%.1f plane_KiB=%.1f dirty=%d", PLANES, total / 1048576.0, plane_bytes / 1024.0, dirty);
    row("writes", q, longest, "cycles longest SM");
    row("writes_mean", q, mean, "cycles mean SM");
}
template <int PLANES>
void write_rows() {
    for (size_t mib : {2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 96, 128}) {
        const size_t total = mib << 20, each = total / PLANES;
        write_row<PLANES>(total, each, 0);
        if (PLANES > 1) write_row<PLANES>(total, each + 4096 + 128, 0);
    }
    for (size_t mib : {8, 32, 64}) write_row<PLANES>(mib << 20, (mib << 20) / PLANES, 1);
    if (PLANES > 1)
        for (size_t plane : {size_t{1} << 20, size_t{3211264}, size_t{1} << 22, size_t{1} << 23}) write_row<PLANES>(size_t{16} << 20, plane, 0);
    if (PLANES == 16) write_row<PLANES>(51380224, 3211264, 0);
}

// ---- words scattered over sectors --------------------------------------------------------------------------
/// Each request writes a word in each of 32 places; eight passes fill every sector, in order or drawn.
__global__ void scatter(Span* spans, unsigned* out, unsigned mask, unsigned apart, int drawn_order, int passes) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    __syncthreads();
    const long long t0 = now();
    for (int pass = 0; pass < passes; ++pass)
        for (unsigned i = thread; i <= mask; i += all) {
            const unsigned place = (drawn_order ? i * 2654435761u : i) & mask;  // odd: each place once
            out[size_t{place} * apart + pass % 8] = i;
        }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) spans[blockIdx.x] = {t0, now()};
}
void scatters() {
    Spans spans(132);
    for (int warm : {0, 1})
        for (unsigned sectors : {1u << 15, 1u << 17, 1u << 19})
            for (unsigned apart : {8u, 32u})
                for (int order : {0, 1})
                    for (int passes : {1, 2, 8, 16}) {
                        double longest = 0;
                        const double mean = repeat([&] { if (!warm) clean(); scatter<<<132, 1024>>>(spans.device(), (unsigned*)area, sectors - 1, apart, order, passes); },
                                                   [&] { auto v = spans.read(132); longest = 0; for (const Span& s : v) longest = std::max(longest, double(s.end - s.begin)); return mean_length(v); });
                        char q[128];
                        std::snprintf(q, sizeof q, "warm=%d places=%u words_apart=%u drawn=%d passes=%d", warm, sectors, apart, order, passes);
                        row("scatter", q, mean, "cycles");
                        row("scatter_longest", q, longest, "cycles");
                    }
}

// ---- two streams from DRAM ---------------------------------------------------------------------------------
/// y = x + y by a grid that goes over it step by step; where y lies behind x decides whether they meet in DRAM's banks.
template <class Word, int STORES>
__global__ void __launch_bounds__(256) streams(Span* spans, const Word* x, Word* y, unsigned n) {
    __syncthreads();
    const long long t0 = now();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        Word a = x[i], b = y[i];
        reinterpret_cast<unsigned&>(b) += reinterpret_cast<unsigned&>(a);
        if (STORES || reinterpret_cast<unsigned&>(b) == 12345) y[i] = b;
    }
    __syncthreads();
    if (threadIdx.x == 0) spans[blockIdx.x] = {t0, now()};
}
template <class Word, int STORES>
void stream_pair(unsigned mib, size_t apart, int per_sm) {
    static Spans spans(132 * 8);
    const int blocks = 132 * per_sm;
    double longest = 0;
    const double mean = repeat([&] { clean(); streams<Word, STORES><<<blocks, 256>>>(spans.device(), (const Word*)area, (Word*)(area + apart), (mib << 20) / sizeof(Word)); },
                               [&] { auto v = spans.read(blocks); longest = 0; for (const Span& s : v) longest = std::max(longest, double(s.end - s.begin)); return mean_length(v); });
    char q[128];
    std::snprintf(q, sizeof q, "width=%zu stores=%d MiB=%u apart=%zu blocks_per_sm=%d", sizeof(Word), STORES, mib, apart, per_sm);
    row("streams", q, mean, "cycles");
    row("streams_longest", q, longest, "cycles");
}
void stream_pairs() {
    for (unsigned mib : {4u, 8u, 16u})
        for (size_t more : {size_t{0}, size_t{2048}, size_t{65536 + 4096}, (size_t{1} << 20) + 8192 + 512})
            for (int per_sm : {1, 3, 6}) {
                stream_pair<unsigned, 1>(mib, (size_t{mib} << 20) + more, per_sm);
                stream_pair<unsigned, 0>(mib, (size_t{mib} << 20) + more, per_sm);
                stream_pair<uint4, 1>(mib, (size_t{mib} << 20) + more, per_sm);
                stream_pair<uint4, 0>(mib, (size_t{mib} << 20) + more, per_sm);
            }
}

int main(int count, char** arguments) {
    const std::string asked = count > 1 ? arguments[1] : "";
    CK(cudaMalloc(&area, bytes)); CK(cudaMalloc(&far_away, bytes)); CK(cudaMalloc(&sink, 4 << 20));
    CK(cudaMemset(area, 0, bytes)); CK(cudaMemset(far_away, 0, bytes));
    if (asked.empty() || asked == "atomics") atomics();
    if (asked.empty() || asked == "beside") loads();
    if (asked.empty() || asked == "writes") { write_rows<1>(); write_rows<2>(); write_rows<4>(); write_rows<8>(); write_rows<16>(); write_rows<32>(); write_rows<64>(); }
    if (asked.empty() || asked == "scatters") scatters();
    if (asked.empty() || asked == "streams") stream_pairs();
    if (asked.empty() || asked == "slices") slices();
}
