// Atomics of many warps at one word or a few, by operation, width, lanes, SMs and places, and the kernels of
// two programs that add to one counter, with memory of several kinds. Prints rows of
// h200_contended_atomics.csv.
#include <cstring>

#include "probe_support.cuh"

#define main string_match_main
#include "../gpu/advice/string_match.cu"
#undef main
#define main pi_occupancy_main
#include "../foreign_files/pi_occupancy.cu"
#undef main

using U32 = unsigned;

#define RED(NAME, TYPE, PTX, C)                                                                \
    struct NAME {                                                                              \
        static constexpr const char* name = #NAME;                                             \
        static __device__ U64 go(void* at, U32 value) {                                        \
            asm volatile("red.global." PTX " [%0], %1;" ::"l"(at), C((TYPE)value) : "memory"); \
            return 0;                                                                          \
        }                                                                                      \
    };
#define ATOM(NAME, TYPE, PTX, C)                             \
    struct NAME {                                            \
        static constexpr const char* name = #NAME;           \
        static __device__ U64 go(void* at, U32 value) {      \
            TYPE v;                                          \
            asm volatile("atom.global." PTX " %0, [%1], %2;" \
                         : "=" C(v)                          \
                         : "l"(at), C((TYPE)value)           \
                         : "memory");                        \
            return (U64)v;                                   \
        }                                                    \
    };
#define CAS(NAME, TYPE, PTX, C, EXPECTED)                                         \
    struct NAME {                                                                 \
        static constexpr const char* name = #NAME;                                \
        static __device__ U64 go(void* at, U32 value) {                           \
            TYPE v;                                                               \
            asm volatile("atom.global.cas." PTX " %0, [%1], %2, %3;"              \
                         : "=" C(v)                                               \
                         : "l"(at), C((TYPE)(EXPECTED)), C((TYPE)(value - value)) \
                         : "memory");                                             \
            return (U64)v;                                                        \
        }                                                                         \
    };
RED(red_add_u32, U32, "add.u32", "r")
RED(red_add_u64, U64, "add.u64", "l")
RED(red_min_s32, int, "min.s32", "r")
RED(red_max_u64, U64, "max.u64", "l")
RED(red_or_b32, U32, "or.b32", "r")
RED(red_add_f32, float, "add.f32", "f")
ATOM(atom_add_u32, U32, "add.u32", "r")
ATOM(atom_add_u64, U64, "add.u64", "l")
ATOM(atom_min_s32, int, "min.s32", "r")
ATOM(atom_max_u64, U64, "max.u64", "l")
ATOM(atom_exch_b32, U32, "exch.b32", "r")
ATOM(atom_exch_b64, U64, "exch.b64", "l")
CAS(atom_cas_b32, U32, "b32", "r", 0)
CAS(atom_cas_b64, U64, "b64", "l", 0)
CAS(atom_cas_b32_fails, U32, "b32", "r", 5)

struct Stamp {
    long long cycles, nanoseconds;
};

/// `apart` is 0: the lanes are at one word, which the compiler does not know. Warp i is at word i % `words`.
template <class Op>
__global__ void contend(char* p, int lanes, int apart, int words, int stride, int times, U32 value,
                        Stamp* stamps, U64* out) {
    const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    U64 t0, t1;
    asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(t0)::"memory");
    const long long c0 = now();
    U64 sum = 0;
    if (lane < lanes) {
        char* at = p + (size_t)(warp % words) * stride + lane * apart;
        for (int i = 0; i < times; ++i) sum += Op::go(at, value);
    }
    __threadfence();
    __syncthreads();
    const long long c1 = now() + (sum == 0x123456789abcull ? 1 : 0);
    asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(t1)::"memory");
    if (threadIdx.x == 0) stamps[blockIdx.x] = {c1 - c0, (long long)(t1 - t0)};
    if (sum == 0x123456789abcull) *out = sum;
}

template <class Launch>
double fastest(int repeats, Launch launch) {
    cudaEvent_t a, b;
    CK(cudaEventCreate(&a));
    CK(cudaEventCreate(&b));
    double best = 1e30;
    for (int i = 0; i < repeats; ++i) {
        float ms;
        CK(cudaEventRecord(a));
        launch();
        CK(cudaEventRecord(b));
        CK(cudaDeviceSynchronize());
        CK(cudaEventElapsedTime(&ms, a, b));
        best = std::min(best, ms * 1e6);
    }
    return best;
}

char* place;
Stamp* stamps;
U64* out;

template <class Op>
void row(const char* probe, int blocks, int warps, int lanes, int words, int stride, int times) {
    CK(cudaMemset(place, 0, 1 << 24));
    auto launch = [&] {
        contend<Op><<<blocks, warps * 32>>>(place, lanes, 0, words, stride, times, 1, stamps, out);
    };
    launch();
    const double ns = fastest(3, launch);
    std::vector<Stamp> host(blocks);
    CK(cudaMemcpy(host.data(), stamps, sizeof(Stamp) * blocks, cudaMemcpyDeviceToHost));
    Stamp longest{};
    for (const Stamp& s : host)
        if (s.cycles > longest.cycles) longest = s;
    std::printf("%s,%s,%d,%d,%d,%d,%d,%d,%.0f,%lld,%lld\n", probe, Op::name, blocks, warps, lanes, words,
                stride, times, ns, longest.cycles, longest.nanoseconds);
}

template <class... Ops>
void operations() {
    for (int lanes : {1, 8, 32}) (row<Ops>("operation", 132, 8, lanes, 1, 4, 32), ...);
}

void program(const char* name, double ns) { std::printf("program,%s,,,,,,,%.0f,,\n", name, ns); }

void programs() {
    const int n = 1 << 20;
    std::vector<char> text(n);
    for (int i = 0; i < n; i++) text[i] = "abcabd"[(i * 7 + i / 13) % 6];
    char *d_text, *d_pattern;
    CK(cudaMalloc(&d_text, n));
    CK(cudaMalloc(&d_pattern, 5));
    CK(cudaMemcpy(d_text, text.data(), n, cudaMemcpyHostToDevice));
    for (const char* pattern : {"abcab", "zzzzz"}) {
        CK(cudaMemcpy(d_pattern, pattern, 5, cudaMemcpyHostToDevice));
        const double ns =
            fastest(4, [&] { find_pattern<<<n / 256, 256>>>(d_text, n, d_pattern, 5, (int*)place); });
        program(pattern[0] == 'a' ? "string_match finds its pattern" : "string_match finds none", ns);
    }
    program("pi_occupancy with cudaMalloc",
            fastest(4, [&] { estimate<<<256, 1024>>>((U64*)place, 64, 1234u); }));
    U64* managed;
    CK(cudaMallocManaged(&managed, 8));
    for (int i = 0; i < 3; ++i) {
        *managed = 0;  // the page is the host's again
        program("pi_occupancy with managed memory that the host wrote",
                fastest(1, [&] { estimate<<<256, 1024>>>(managed, 64, 1234u); }));
        program("pi_occupancy with managed memory again",
                fastest(1, [&] { estimate<<<256, 1024>>>(managed, 64, 1234u); }));
    }
}

int main() {
    CK(cudaMalloc(&place, 1 << 24));
    CK(cudaMalloc(&stamps, sizeof(Stamp) * 65536));
    CK(cudaMalloc(&out, 8));
    std::printf(
        "probe,operation,blocks,warps,lanes,words,stride,times,nanoseconds,cycles,block_nanoseconds\n");
    for (int i = 0; i < 20; ++i)
        contend<red_add_u32><<<132, 256>>>(place, 32, 0, 1, 4, 512, 1, stamps, out);  // the clock rises
    operations<red_add_u32, red_add_u64, red_min_s32, red_max_u64, red_or_b32, red_add_f32, atom_add_u32,
               atom_add_u64, atom_min_s32, atom_max_u64, atom_exch_b32, atom_exch_b64, atom_cas_b32,
               atom_cas_b64, atom_cas_b32_fails>();
    for (int blocks : {1, 2, 3, 4, 8, 16, 33, 66, 132})
        for (int warps : {1, 8, 32}) {
            row<red_add_u32>("sms", blocks, warps, 1, 1, 4, 256);
            row<red_add_u64>("sms", blocks, warps, 1, 1, 4, 256);
            row<atom_add_u32>("sms", blocks, warps, 1, 1, 4, 256);
            row<atom_add_u64>("sms", blocks, warps, 1, 1, 4, 256);
        }
    for (int stride : {4, 32, 128, 256, 1024, 4096})
        for (int words : {2, 4, 8, 32}) {
            row<red_add_u32>("places", 132, 8, 1, words, stride, 256);
            row<red_add_u32>("places", 132, 8, 32, words, stride, 32);
            row<atom_add_u32>("places", 132, 8, 1, words, stride, 256);
        }
    for (int blocks : {132, 512, 4096, 16384}) {
        row<red_add_u32>("launch", blocks, 8, 1, 1, 4, 1);
        row<red_add_u64>("launch", blocks, 8, 1, 1, 4, 1);
        row<atom_add_u32>("launch", blocks, 8, 1, 1, 4, 1);
    }
    programs();
    return 0;
}
