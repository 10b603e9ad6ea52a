// What loads cost whose lanes read many lines, by pattern, warps, loads at once, SMs and where the data are; when each of
// many loads in a row issues and arrives; and reductions of several types at random places.
// nvcc -O3 -arch=sm_90; prints CSV rows what,parameters,value,unit. An argument picks: rates, bursts, reductions; or one kernel
// for the profiler: one WARPS ILP PATTERN BYTES.
#include "probe_support.cuh"

#include <cstring>
#include <string>

constexpr size_t area_bytes = size_t{1} << 28;
unsigned* area;     // zeros
unsigned* pushing;  // written to push the area out of L2
unsigned* sink;
Span* spans;
int* stamps;

__device__ __forceinline__ unsigned mixed(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/// The word that a lane reads with a load: `groups` of lanes choose a place each, and a group's lanes read sectors one
/// after another; pattern 0: each lane a sector; 1: eight lines of four sectors; 2: sixteen pairs of sectors; 3: eight
/// lanes, a sector each; 4: 32 lines in a row, a sector each; 5: all lanes one sector; 6: one word of a line in a row (128 bytes).
__device__ __forceinline__ unsigned word_of(int pattern, unsigned number, unsigned lane, unsigned sectors) {
    switch (pattern) {
        case 0: case 3: return (mixed(number * 32 + lane) & (sectors - 1)) * 8;
        case 1: return ((mixed(number * 32 + lane / 4) & (sectors - 1) & ~3u) + lane % 4) * 8;
        case 2: return ((mixed(number * 32 + lane / 2) & (sectors - 1) & ~1u) + lane % 2) * 8;
        case 4: return (((mixed(number) & (sectors - 1) & ~127u) + lane * 4) & (sectors - 1)) * 8;
        case 5: return (mixed(number) & (sectors - 1)) * 8;
        default: return (mixed(number) & (sectors - 1) & ~3u) * 8 + lane;
    }
}

template <int ILP>
__global__ void gathers(const unsigned* __restrict__ table, unsigned sectors, int pattern, int rounds, int touches, Span* spans, unsigned* sink) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < touches * sectors; i += blockDim.x) sum += table[i % sectors * 8];
    __syncthreads();
    const bool active = pattern != 3 || lane < 8;
    const long long begin = now();
    unsigned number = (blockIdx.x * 64 + warp) * 4096;
    for (int round = 0; round < rounds; ++round) {
        unsigned got[ILP];
#pragma unroll
        for (int k = 0; k < ILP; ++k) {
            got[k] = 0;
            if (active) got[k] = table[word_of(pattern, number + k, lane, sectors)];
        }
#pragma unroll
        for (int k = 0; k < ILP; ++k) number += got[k];  // zeros
        number += ILP;
    }
    const long long end = now();
    if (lane == 0) spans[blockIdx.x * 64 + warp] = {begin, end};
    if (number + sum == 12345) *sink = number;
}

void flush() {
    CK(cudaMemset(pushing, 0, area_bytes));
    CK(cudaDeviceSynchronize());
}

void launch_gathers(int ilp, int sms, int warps, size_t bytes, int pattern, int rounds, int touches) {
    const unsigned sectors = unsigned(bytes / 32);
    switch (ilp) {
        case 1: gathers<1><<<sms, warps * 32, 0>>>(area, sectors, pattern, rounds, touches, spans, sink); break;
        case 2: gathers<2><<<sms, warps * 32, 0>>>(area, sectors, pattern, rounds, touches, spans, sink); break;
        default: gathers<8><<<sms, warps * 32, 0>>>(area, sectors, pattern, rounds, touches, spans, sink); break;
    }
    CK(cudaGetLastError());
}

/// Cycles of an SM for a load of a warp: mean of the SMs and the longest.
void rates() {
    std::vector<Span> host(132 * 64);
    for (int sms : {1, 132})
        for (int pattern : {0, 1, 2, 3, 4, 5, 6})
            for (int warps : {1, 4, 8, 16, 32})
                for (int ilp : {1, 2, 8})
                    for (const char* where : {"l1 65536", "l2 131072", "l2 524288", "l2 2097152", "l2 16777216", "dram 524288", "dram 2097152", "dram 16777216", "dram 268435456"}) {
                        const bool in_l1 = where[1] == '1', cold = where[0] == 'd';
                        const size_t bytes = std::strtoull(std::strchr(where, ' '), nullptr, 10);
                        const int rounds = (cold ? 16 : 32) / (ilp == 8 ? 4 : 1);
                        std::vector<double> means, longest;
                        for (int run = 0; run < (cold ? 2 : 3); ++run) {
                            if (cold) flush();
                            launch_gathers(ilp, sms, warps, bytes, pattern, rounds, in_l1);
                            CK(cudaDeviceSynchronize());
                            CK(cudaMemcpy(host.data(), spans, sizeof(Span) * 64 * sms, cudaMemcpyDeviceToHost));
                            double sum = 0, most = 0;
                            for (int sm = 0; sm < sms; ++sm) {
                                const double cycles = extent({host.begin() + sm * 64, host.begin() + sm * 64 + warps});
                                sum += cycles / sms;
                                most = std::max(most, cycles);
                            }
                            means.push_back(sum);
                            longest.push_back(most);
                        }
                        char q[160];
                        std::snprintf(q, sizeof q, "pattern=%d sms=%d warps=%d ilp=%d where=%s rounds=%d", pattern, sms, warps, ilp, where, rounds);
                        const double loads = double(rounds) * ilp * warps;
                        std::printf("rate,%s,%.2f,%.2f\n", q, cold ? (means[0] + means[1]) / 2 / loads : median(means) / loads, median(longest) / loads);
                    }
}

/// A warp's loads one after another: when each has issued, and when each has arrived.
constexpr int burst = 24;
__global__ void bursts(const unsigned* __restrict__ table, unsigned sectors, int pattern, int touches, int* stamps, unsigned* sink) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < touches * sectors; i += blockDim.x) sum += table[i % sectors * 8];
    unsigned at[burst];
#pragma unroll
    for (int k = 0; k < burst; ++k) at[k] = word_of(pattern, (blockIdx.x * 64 + warp) * 64 + k + sum, lane, sectors);
    __syncthreads();
    unsigned got[burst];
    int issued[burst], arrived[burst];
    int begin;
    asm volatile("mov.u32 %0,%%clock;" : "=r"(begin)::"memory");
#pragma unroll
    for (int k = 0; k < burst; ++k) {
        asm volatile("ld.global.u32 %0,[%1];" : "=r"(got[k]) : "l"(table + at[k]) : "memory");
        asm volatile("mov.u32 %0,%%clock;" : "=r"(issued[k])::"memory");
    }
#pragma unroll
    for (int k = 0; k < burst; ++k) {
        asm volatile("{.reg .pred p; setp.ne.u32 p,%1,0; @p trap; mov.u32 %0,%%clock;}" : "=r"(arrived[k]) : "r"(got[k]) : "memory");
    }
    if (lane == 0)
        for (int k = 0; k < burst; ++k) {
            stamps[((blockIdx.x * 32 + warp) * burst + k) * 2] = issued[k] - begin;
            stamps[((blockIdx.x * 32 + warp) * burst + k) * 2 + 1] = arrived[k] - begin;
        }
    if (sum == 12345) *sink = sum;
}

void burst_rows() {
    std::vector<int> host(132 * 32 * burst * 2);
    for (int sms : {1, 132})
        for (int pattern : {0, 1, 2, 3, 6})
            for (int warps : {1, 4, 8, 16, 32})
                for (const char* where : {"l1 65536", "l2 2097152", "dram 16777216"}) {
                    const bool in_l1 = where[1] == '1', cold = where[0] == 'd';
                    const size_t bytes = std::strtoull(std::strchr(where, ' '), nullptr, 10);
                    for (int run = 0; run < 2; ++run) {
                        if (cold) flush();
                        bursts<<<sms, warps * 32>>>(area, unsigned(bytes / 32), pattern, in_l1, stamps, sink);
                        CK(cudaDeviceSynchronize());
                    }
                    CK(cudaMemcpy(host.data(), stamps, sizeof(int) * host.size(), cudaMemcpyDeviceToHost));
                    for (int which = 0; which < 2; ++which) {
                        std::printf("%s,pattern=%d sms=%d warps=%d where=%s", which ? "arrived" : "issued", pattern, sms, warps, where);
                        for (int k = 0; k < burst; ++k) {
                            double sum = 0;
                            for (int sm = 0; sm < sms; ++sm)
                                for (int warp = 0; warp < warps; ++warp) sum += host[((sm * 32 + warp) * burst + k) * 2 + which];
                            std::printf(",%.0f", sum / sms / warps);
                        }
                        std::printf("\n");
                    }
                }
}

/// Reductions at places drawn from so many bytes, by a window of `window` words around each warp's own place (0: none).
template <int KIND>
__global__ void reductions(void* table, unsigned bytes, unsigned window, int rounds, Span* spans) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    constexpr unsigned width = KIND == 3 || KIND == 4 ? 8 : 4;
    const unsigned words = bytes / width;
    __syncthreads();
    const long long begin = now();
    for (int round = 0; round < rounds; ++round) {
        const unsigned number = ((blockIdx.x * 32 + warp) * 64 + round) * 32;
        const unsigned place = window == 0 ? mixed(number + lane) % words : (mixed(number) % words + mixed(number + lane) % window) % words;
        if constexpr (KIND == 0) asm volatile("red.global.add.u32 [%0],%1;" ::"l"((unsigned*)table + place), "r"(1u) : "memory");
        if constexpr (KIND == 1) asm volatile("red.global.add.f32 [%0],%1;" ::"l"((float*)table + place), "f"(0.f) : "memory");
        if constexpr (KIND == 2) asm volatile("red.global.min.s32 [%0],%1;" ::"l"((int*)table + place), "r"(5) : "memory");
        if constexpr (KIND == 3) asm volatile("red.global.add.u64 [%0],%1;" ::"l"((U64*)table + place), "l"(U64(1)) : "memory");
        if constexpr (KIND == 4) asm volatile("red.global.add.f64 [%0],%1;" ::"l"((double*)table + place), "d"(0.) : "memory");
        if constexpr (KIND == 5) { unsigned got; asm volatile("atom.global.add.u32 %0,[%1],%2;" : "=r"(got) : "l"((unsigned*)table + place), "r"(1u) : "memory"); }
        if constexpr (KIND == 6) { float got; asm volatile("atom.global.add.f32 %0,[%1],%2;" : "=f"(got) : "l"((float*)table + place), "f"(0.f) : "memory"); }
    }
    const long long issued = now();
    __threadfence();
    const long long end = now();
    if (lane == 0) spans[blockIdx.x * 64 + warp] = {begin, end}, spans[blockIdx.x * 64 + 32 + warp] = {begin, issued};
}

void reduction_rows() {
    const auto all = {reductions<0>, reductions<1>, reductions<2>, reductions<3>, reductions<4>, reductions<5>, reductions<6>};
    const char* names[] = {"red.add.u32", "red.add.f32", "red.min.s32", "red.add.u64", "red.add.f64", "atom.add.u32", "atom.add.f32"};
    std::vector<Span> host(132 * 64);
    for (int sms : {1, 132})
        for (int warps : {1, 8, 32})
            for (unsigned bytes : {4096u, 65536u, 1048576u, 16777216u})
                for (unsigned window : {0u, 8u, 600u})
                    for (int rounds : {1, 4, 32}) {
                        int kind = 0;
                        for (const auto kernel : all) {
                            double done = 0, issued = 0;
                            for (int run = 0; run < 2; ++run) {
                                kernel<<<sms, warps * 32>>>(area, bytes, window, rounds, spans);
                                CK(cudaDeviceSynchronize());
                            }
                            CK(cudaMemcpy(host.data(), spans, sizeof(Span) * 64 * sms, cudaMemcpyDeviceToHost));
                            for (int sm = 0; sm < sms; ++sm) {
                                done += extent({host.begin() + sm * 64, host.begin() + sm * 64 + warps}) / sms;
                                issued += extent({host.begin() + sm * 64 + 32, host.begin() + sm * 64 + 32 + warps}) / sms;
                            }
                            std::printf("reduction,%s sms=%d warps=%d bytes=%u window=%u rounds=%d,%.0f,%.0f\n", names[kind++], sms, warps, bytes, window, rounds, issued, done);
                        }
                    }
    CK(cudaMemset(area, 0, 1 << 24));
}

int main(int count, char** arguments) {
    CK(cudaMalloc(&area, area_bytes));
    CK(cudaMalloc(&pushing, area_bytes));
    CK(cudaMalloc(&sink, 4));
    CK(cudaMalloc(&spans, sizeof(Span) * 132 * 64));
    CK(cudaMalloc(&stamps, sizeof(int) * 132 * 32 * burst * 2));
    CK(cudaMemset(area, 0, area_bytes));
    flush();
    const std::string what = count > 1 ? arguments[1] : "";
    if (what.empty() || what == "rates") rates();
    if (what.empty() || what == "bursts") burst_rows();
    if (what.empty() || what == "reductions") reduction_rows();
    if (what == "one" && count > 5) launch_gathers(std::atoi(arguments[3]), 132, std::atoi(arguments[2]), std::strtoull(arguments[5], nullptr, 10), std::atoi(arguments[4]), 32, 0);
    CK(cudaDeviceSynchronize());
}
