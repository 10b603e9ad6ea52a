// What code costs that has yet to be fetched: straight code, jumps over code, and loops of many sizes, executed in two or three rounds of one launch. Each stage
// reads the clock once and executes `fill` additions, independent ones or a chain; with `skip` it then jumps over as many instructions, 16 bytes each.
//   nvcc -O3 -std=c++17 -arch=sm_90 fetch_probes.cu -o fetch_probes
//   ./fetch_probes; and ncu --cache-control all --metrics sm__cycles_active.max ./fetch_probes profiled
// Alone it launches each kernel first, again, after other code (256 KiB on all SMs), and after other code and 256 MiB of writes. `later`: blocks that replace others.
// A row: a round. `start`: of a warp's first clock read, behind its block's first; `cycles`: of each stage, from its clock read to the next one's. Means of all warps.
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "probe_support.cuh"

__device__ __forceinline__ unsigned tick() {
    unsigned c;
    asm volatile("mov.u32 %0,%%clock;" : "=r"(c)::"memory");
    return c;
}
__device__ __forceinline__ void addition(float& a, float x) {
    asm volatile("add.f32 %0,%0,%1;" : "+f"(a) : "f"(x) : "memory");
}
template <bool CHAIN, int... I>
__device__ __forceinline__ void additions(float (&a)[8], float x, std::integer_sequence<int, I...>) {
    (addition(a[CHAIN ? 0 : I % 8], x), ...);
}
template <int FILL, int SKIP, bool CHAIN, int S>
__device__ __forceinline__ void stage(float (&a)[8], float x, int skipped, unsigned (&t)[S], int s) {
    additions<CHAIN>(a, x, std::make_integer_sequence<int, FILL>());
    if constexpr (SKIP > 0) {
        asm volatile("mov.u32 %0,%0;" : "+r"(skipped)::"memory");
        if (skipped == 0) additions<false>(a, x, std::make_integer_sequence<int, SKIP>());
    }
    t[s] = tick();
}
template <int FILL, int SKIP, bool CHAIN, int S, int... I>
__device__ __forceinline__ void all_stages(float (&a)[8], float x, int skipped, unsigned (&t)[S], std::integer_sequence<int, I...>) {
    (stage<FILL, SKIP, CHAIN>(a, x, skipped, t, I + 1), ...);
}
template <int STAGES, int FILL, int SKIP, bool CHAIN>
__global__ void __launch_bounds__(1024, 1) code(unsigned* out, int rounds, int skipped, float x) {
    float a[8] = {x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7};
    unsigned* to = out + (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * rounds * (STAGES + 1);
#pragma unroll 1
    for (int r = 0; r < rounds; ++r, to += STAGES + 1) {
        unsigned t[STAGES + 1];
        t[0] = tick();
        all_stages<FILL, SKIP, CHAIN>(a, x, skipped, t, std::make_integer_sequence<int, STAGES>());
        if (threadIdx.x % 32 == 0)
            for (int s = 0; s <= STAGES; ++s) to[s] = t[s];
    }
    if (a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7] == 1234567) out[0] = 1;
}
struct Probe {
    const char* name;
    int stages, fill, skip;
    void (*kernel)(unsigned*, int, int, float);
};
template <int STAGES, int FILL, int SKIP, bool CHAIN>
Probe probe(const char* name) {
    return {name, STAGES, FILL, SKIP, code<STAGES, FILL, SKIP, CHAIN>};
}
unsigned* out;
constexpr size_t words = 8u << 20;
char* pushed;
constexpr size_t pushed_bytes = 256u << 20;

void other_code() {
    code<1, 16384, 0, false><<<132, 128>>>(out, 1, 1, 1.0f);
    CK(cudaDeviceSynchronize());
}

void measure(const char* caches, const Probe& p, int blocks, int warps, int rounds, bool later) {
    constexpr int alone = 200 << 10;  // bytes of shared memory: one block an SM
    if (later) CK(cudaFuncSetAttribute(p.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, alone));
    p.kernel<<<later ? 2 * blocks : blocks, 32 * warps, later ? alone : 0>>>(out, rounds, 1, 1.0f);
    const int length = p.stages + 1;
    const size_t first = later ? size_t(blocks) * warps * rounds * length : 0;
    std::vector<unsigned> host(size_t(blocks) * warps * rounds * length);
    CK(cudaMemcpy(host.data(), out + first, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    const double all = double(blocks) * warps;
    for (int r = 0; r < rounds; ++r) {
        double start = 0;
        std::vector<double> cycles(p.stages);
        for (int b = 0; b < blocks; ++b) {
            const auto* block = host.data() + size_t(b) * warps * rounds * length;
            unsigned begin = ~0u;
            for (int w = 0; w < warps; ++w) begin = std::min(begin, block[(w * rounds + r) * length]);
            for (int w = 0; w < warps; ++w) {
                const auto* t = block + (w * rounds + r) * length;
                start += (t[0] - begin) / all;
                for (int s = 0; s < p.stages; ++s) cycles[s] += (t[s + 1] - t[s]) / all;
            }
        }
        std::printf("%s,%s,%d,%d,%d%s,%d,%d,%.1f,", caches, p.name, p.fill, p.skip, blocks, later ? " later" : "", warps, r, start);
        for (int s = 0; s < p.stages; ++s) std::printf("%s%.1f", s > 0 ? " " : "", cycles[s]);
        std::printf("\n");
    }
}

int main(int count, char** arguments) {
    const bool profiled = count > 1 && std::strcmp(arguments[1], "profiled") == 0;
    CK(cudaMalloc(&out, words * sizeof(unsigned)));
    CK(cudaMalloc(&pushed, pushed_bytes));
    const Probe straight[] = {
        probe<48, 7, 0, false>("free"),    probe<48, 31, 0, false>("free"),    probe<48, 7, 0, true>("chain"),     probe<48, 31, 0, true>("chain"),
        probe<24, 3, 4, false>("jump"),    probe<24, 3, 12, false>("jump"),    probe<24, 3, 28, false>("jump"),    probe<24, 3, 60, false>("jump"),
        probe<24, 3, 124, false>("jump"),  probe<24, 3, 252, false>("jump"),   probe<24, 3, 508, false>("jump"),
    };
    const Probe loops[] = {
        probe<1, 48, 0, false>("loop"),    probe<1, 96, 0, false>("loop"),     probe<1, 192, 0, false>("loop"),    probe<1, 384, 0, false>("loop"),
        probe<1, 768, 0, false>("loop"),   probe<1, 1152, 0, false>("loop"),   probe<1, 1536, 0, false>("loop"),   probe<1, 1920, 0, false>("loop"),
        probe<1, 2432, 0, false>("loop"),  probe<1, 3072, 0, false>("loop"),   probe<1, 4096, 0, false>("loop"),   probe<1, 6144, 0, false>("loop"),
        probe<1, 7936, 0, false>("loop"),  probe<1, 9216, 0, false>("loop"),   probe<1, 12288, 0, false>("loop"),  probe<1, 24576, 0, false>("loop"),
    };
    std::printf("caches,probe,fill,skip,blocks,warps,round,start,cycles\n");
    const auto all_caches = [&](const Probe& p, int blocks, int warps, int rounds, bool later) {
        if (profiled) {
            for (int i = 0; i < 2; ++i) measure("cold", p, blocks, warps, rounds, later);
            return;
        }
        p.kernel<<<blocks, 32 * warps>>>(out, rounds, 1, 1.0f);
        measure("again", p, blocks, warps, rounds, later);
        other_code();
        measure("other code", p, blocks, warps, rounds, later);
        CK(cudaMemset(pushed, 0, pushed_bytes));
        other_code();
        measure("pushed out", p, blocks, warps, rounds, later);
    };
    for (const auto& p : straight) {
        measure(profiled ? "cold, first" : "first", p, 132, 1, 2, false);
        for (int blocks : {1, 132})
            for (int warps : {1, 4, 16}) all_caches(p, blocks, warps, 2, false);
        all_caches(p, 132, 1, 2, true);
    }
    for (const auto& p : loops) {
        measure(profiled ? "cold, first" : "first", p, 132, 1, 3, false);
        for (int warps : {1, 4, 8, 16, 32}) all_caches(p, 132, warps, 3, false);
        all_caches(p, 1, 1, 3, false);
    }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
