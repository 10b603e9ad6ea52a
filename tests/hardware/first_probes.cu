// What an SM's first accesses cost after what: global loads (first, of another page, of another line) and lines of the launch's constants, indexed (LDC) and
// immediate. One warp a block, lane 0 works. Straight code; of each order there is a twin with the same code that goes to one place only.
//   nvcc -O3 -std=c++17 -arch=sm_90 first_probes.cu -o first_probes
//   ncu --cache-control all --metrics sm__cycles_active.max ./first_probes; the same with none
// `./first_probes together`: by all warps of a block, in blocks of 1 to 32 warps (h100_crowded_constants.csv).
// An operation is a letter and a place: G 0 to 15 lines of one page of 4 MiB, 16 to 31 of the next; L (indexed) and I (immediate) a line of 64 bytes.
// The compiler loads twice from one place only once: such stages take 2 to 6 cycles.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

struct Values { int a[960]; };
constexpr int stages = 14;

__device__ __forceinline__ unsigned tick() {
    unsigned c;
    asm volatile("mov.u32 %0,%%clock;" : "=r"(c)::"memory");
    return c;
}
// Ends the thread if v is what it never is, so that the next clock read waits for v.
__device__ __forceinline__ void need(int v) {
    asm volatile("{ .reg .pred p; setp.eq.s32 p,%0,1234567; @p trap; }" ::"r"(v) : "memory");
}
__device__ __forceinline__ int global_load(const int* p) {
    int v;
    asm volatile("ld.global.cg.s32 %0,[%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

/// An operation and its place as one template argument.
constexpr int G(int place) { return 'G' << 8 | place; }
constexpr int L(int place) { return 'L' << 8 | place; }
constexpr int I(int place) { return 'I' << 8 | place; }

template <int S, int OPERATION>
__device__ __forceinline__ void stage(const Values& values, const int* x, int zero, unsigned (&t)[stages + 1]) {
    constexpr int op = OPERATION >> 8, place = OPERATION & 255;
    if constexpr (op == 'G') need(global_load(x + (place / 16) * (1 << 20) + (place % 16) * 4096 + zero));  // page of 4 MiB, 16 KiB in it
    else if constexpr (op == 'L') need(values.a[16 * place + zero]);
    else {
        int v;
        asm volatile("mad.lo.s32 %0,%1,%2,%1;" : "=r"(v) : "r"(zero), "r"(values.a[16 * place + S % 4]) : "memory");
        need(v);
    }
    t[S + 1] = tick();
}
template <int... OPERATIONS, int... S>
__device__ __forceinline__ void all_stages(const Values& values, const int* x, int zero, unsigned (&t)[stages + 1],
                                           std::integer_sequence<int, S...>) {
    (stage<S, OPERATIONS>(values, x, zero, t), ...);
}
template <int... OPERATIONS>
__global__ void in_order(const int* x, unsigned* out, const __grid_constant__ Values values) {
    static_assert(sizeof...(OPERATIONS) == stages);
    if (threadIdx.x != 0) return;
    const int zero = threadIdx.y;
    unsigned t[stages + 1];
    t[0] = tick();
    all_stages<OPERATIONS...>(values, x, zero, t, std::make_integer_sequence<int, stages>());
    for (int i = 0; i < stages; ++i) out[blockIdx.x * stages + i] = t[i + 1] - t[i];
}

/// The same operations by all warps of a block at once: at the launch's begin, or after `delay` cycles and a barrier.
template <int... OPERATIONS>
__global__ void together(const int* x, unsigned* out, int delay, const __grid_constant__ Values values) {
    static_assert(sizeof...(OPERATIONS) == stages);
    const int zero = threadIdx.y;
    unsigned t[stages + 1];
    if (delay > 0) {
        const unsigned begin = tick();
        while (tick() - begin < unsigned(delay)) {}
        __syncthreads();
    }
    t[0] = tick();
    all_stages<OPERATIONS...>(values, x, zero, t, std::make_integer_sequence<int, stages>());
    if (threadIdx.x % 32 == 0)
        for (int i = 0; i < stages; ++i) out[(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * stages + i] = t[i + 1] - t[i];
}

struct Probe {
    const char* name;
    void (*kernel)(const int*, unsigned*, Values);
    std::vector<int> operations;
};
template <int... OPERATIONS>
Probe probe(const char* name) {
    return {name, in_order<OPERATIONS...>, {OPERATIONS...}};
}

int all_warps_together() {
    int* x;
    unsigned* out;
    constexpr size_t bytes = 64u << 20, words = 132 * 8 * 32 * stages;
    cudaMalloc(&x, bytes), cudaMemset(x, 0, bytes), cudaMalloc(&out, words * sizeof(unsigned));
    Values values{};
    std::vector<unsigned> host(words);
    std::printf("blocks,warps,delay,operation,stage,mean,least,most\n");
    const int operations[] = {I(20), I(24), I(20), I(28), I(32), L(36), L(40), L(44), I(48), I(52), I(56), G(0), G(1), I(60)};
    const auto kernel = together<I(20), I(24), I(20), I(28), I(32), L(36), L(40), L(44), I(48), I(52), I(56), G(0), G(1), I(60)>;
    for (bool once : {true, false})
        for (int delay : {0, 4000})
            for (int blocks : {1, 64, 132, 264, 528})
                for (int warps : {1, 2, 4, 8, 16, 32}) {
                    kernel<<<blocks, 32 * warps>>>(x, out, delay, values);
                    cudaMemcpy(host.data(), out, words * sizeof(unsigned), cudaMemcpyDeviceToHost);
                    if (once) continue;
                    for (int s = 0; s < stages; ++s) {
                        double sum = 0;
                        unsigned least = ~0u, most = 0;
                        for (int w = 0; w < blocks * warps; ++w) {
                            const unsigned v = host[w * stages + s];
                            sum += v, least = v < least ? v : least, most = v > most ? v : most;
                        }
                        std::printf("%d,%d,%d,%c%d,%d,%.1f,%u,%u\n", blocks, warps, delay, operations[s] >> 8, operations[s] & 255, s, sum / (blocks * warps), least, most);
                    }
                }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

int main(int count, char**) {
    if (count > 1) return all_warps_together();
    int* x;
    unsigned* out;
    constexpr size_t bytes = 64u << 20, words = 132 * stages;
    cudaMalloc(&x, bytes), cudaMemset(x, 0, bytes), cudaMalloc(&out, words * sizeof(unsigned));
    Values values{};
    std::vector<unsigned> host(words);
    std::printf("order,grid,launch,stage,operation,mean,least,most\n");
    const Probe probes[] = {
        probe<G(0), G(1), G(2), G(16), G(17), G(18), G(32), G(33), L(20), L(24), I(20), I(28), L(28), I(32)>("global_first"),
        probe<L(20), L(24), L(30), I(20), I(28), L(28), G(0), G(1), G(16), G(17), L(36), I(36), I(40), L(41)>("indexed_first"),
        probe<I(20), I(24), I(30), L(20), L(28), I(28), G(0), G(1), G(16), G(17), I(36), L(36), L(40), I(41)>("immediate_first"),
        probe<L(20), L(21), L(22), L(23), L(24), L(25), I(30), I(31), I(32), I(33), I(34), I(35), G(0), G(1)>("neighbours"),
        probe<G(0), G(0), G(0), G(0), G(0), G(0), G(0), G(0), L(20), L(20), I(20), I(20), L(20), I(20)>("global_first_twin"),
        probe<L(20), L(20), L(20), I(20), I(20), L(20), G(0), G(0), G(0), G(0), L(20), I(20), I(20), L(20)>("indexed_first_twin"),
        probe<I(20), I(20), I(20), L(20), L(20), I(20), G(0), G(0), G(0), G(0), I(20), L(20), L(20), I(20)>("immediate_first_twin"),
        probe<L(20), L(20), L(20), L(20), L(20), L(20), I(20), I(20), I(20), I(20), I(20), I(20), G(0), G(0)>("neighbours_twin"),
    };
    for (int launch = 0; launch < 4; ++launch)
        for (const auto& probe : probes)
            for (int grid : {1, 132}) {
                probe.kernel<<<grid, 32>>>(x, out, values);
                cudaMemcpy(host.data(), out, words * sizeof(unsigned), cudaMemcpyDeviceToHost);
                for (int s = 0; s < stages; ++s) {
                    unsigned long long sum = 0;
                    unsigned least = ~0u, most = 0;
                    for (int b = 0; b < grid; ++b) {
                        const unsigned v = host[b * stages + s];
                        sum += v, least = v < least ? v : least, most = v > most ? v : most;
                    }
                    std::printf("%s,%d,%d,%d,%c%d,%.1f,%u,%u\n", probe.name, grid, launch, s, probe.operations[s] >> 8, probe.operations[s] & 255, double(sum) / grid, least, most);
                }
            }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
