// What an SM's first accesses cost after what: global loads (first, of another page, of another line) and lines of the launch's constants, indexed (LDC) and
// immediate. One warp a block, lane 0 works. Straight code; of each order there is a twin with the same code that goes to one place only.
//   nvcc -O3 -arch=sm_90 first_probes.cu -o first_probes
//   ncu --cache-control all --metrics sm__cycles_active.max ./first_probes; the same with none
// An operation is a letter and a place: G 0 to 15 lines of one page of 4 MiB, 16 to 31 of the next; L (indexed) and I (immediate) a line of 64 bytes.
// The compiler loads twice from one place only once: such stages take 2 to 6 cycles.
#include <cstdio>
#include <cstdlib>
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

template <int S, int OP, int ARG>
__device__ __forceinline__ void stage(const Values& values, const int* x, int zero, unsigned (&t)[stages + 1]) {
    if constexpr (OP == 'G') need(global_load(x + (ARG / 16) * (1 << 20) + (ARG % 16) * 4096 + zero));  // page of 4 MiB, 16 KiB in it
    else if constexpr (OP == 'L') need(values.a[16 * ARG + zero]);
    else if constexpr (OP == 'I') {
        int v;
        asm volatile("mad.lo.s32 %0,%1,%2,%1;" : "=r"(v) : "r"(zero), "r"(values.a[16 * ARG + S % 4]) : "memory");
        need(v);
    }
    t[S + 1] = tick();
}
__global__ void global_first(const int* x, unsigned* out, const __grid_constant__ Values values) {
    if (threadIdx.x != 0) return;
    const int zero = threadIdx.y;
    unsigned t[stages + 1];
    t[0] = tick();
    stage<0, 'G', 0>(values, x, zero, t);
    stage<1, 'G', 1>(values, x, zero, t);
    stage<2, 'G', 2>(values, x, zero, t);
    stage<3, 'G', 16>(values, x, zero, t);
    stage<4, 'G', 17>(values, x, zero, t);
    stage<5, 'G', 18>(values, x, zero, t);
    stage<6, 'G', 32>(values, x, zero, t);
    stage<7, 'G', 33>(values, x, zero, t);
    stage<8, 'L', 20>(values, x, zero, t);
    stage<9, 'L', 24>(values, x, zero, t);
    stage<10, 'I', 20>(values, x, zero, t);
    stage<11, 'I', 28>(values, x, zero, t);
    stage<12, 'L', 28>(values, x, zero, t);
    stage<13, 'I', 32>(values, x, zero, t);
    for (int i = 0; i < stages; ++i) out[blockIdx.x * stages + i] = t[i + 1] - t[i];
}
__global__ void indexed_first(const int* x, unsigned* out, const __grid_constant__ Values values) {
    if (threadIdx.x != 0) return;
    const int zero = threadIdx.y;
    unsigned t[stages + 1];
    t[0] = tick();
    stage<0, 'L', 20>(values, x, zero, t);
    stage<1, 'L', 24>(values, x, zero, t);
    stage<2, 'L', 30>(values, x, zero, t);
    stage<3, 'I', 20>(values, x, zero, t);
    stage<4, 'I', 28>(values, x, zero, t);
    stage<5, 'L', 28>(values, x, zero, t);
    stage<6, 'G', 0>(values, x, zero, t);
    stage<7, 'G', 1>(values, x, zero, t);
    stage<8, 'G', 16>(values, x, zero, t);
    stage<9, 'G', 17>(values, x, zero, t);
    stage<10, 'L', 36>(values, x, zero, t);
    stage<11, 'I', 36>(values, x, zero, t);
    stage<12, 'I', 40>(values, x, zero, t);
    stage<13, 'L', 41>(values, x, zero, t);
    for (int i = 0; i < stages; ++i) out[blockIdx.x * stages + i] = t[i + 1] - t[i];
}
__global__ void immediate_first(const int* x, unsigned* out, const __grid_constant__ Values values) {
    if (threadIdx.x != 0) return;
    const int zero = threadIdx.y;
    unsigned t[stages + 1];
    t[0] = tick();
    stage<0, 'I', 20>(values, x, zero, t);
    stage<1, 'I', 24>(values, x, zero, t);
    stage<2, 'I', 30>(values, x, zero, t);
    stage<3, 'L', 20>(values, x, zero, t);
    stage<4, 'L', 28>(values, x, zero, t);
    stage<5, 'I', 28>(values, x, zero, t);
    stage<6, 'G', 0>(values, x, zero, t);
    stage<7, 'G', 1>(values, x, zero, t);
    stage<8, 'G', 16>(values, x, zero, t);
    stage<9, 'G', 17>(values, x, zero, t);
    stage<10, 'I', 36>(values, x, zero, t);
    stage<11, 'L', 36>(values, x, zero, t);
    stage<12, 'L', 40>(values, x, zero, t);
    stage<13, 'I', 41>(values, x, zero, t);
    for (int i = 0; i < stages; ++i) out[blockIdx.x * stages + i] = t[i + 1] - t[i];
}
__global__ void neighbours(const int* x, unsigned* out, const __grid_constant__ Values values) {
    if (threadIdx.x != 0) return;
    const int zero = threadIdx.y;
    unsigned t[stages + 1];
    t[0] = tick();
    stage<0, 'L', 20>(values, x, zero, t);
    stage<1, 'L', 21>(values, x, zero, t);
    stage<2, 'L', 22>(values, x, zero, t);
    stage<3, 'L', 23>(values, x, zero, t);
    stage<4, 'L', 24>(values, x, zero, t);
    stage<5, 'L', 25>(values, x, zero, t);
    stage<6, 'I', 30>(values, x, zero, t);
    stage<7, 'I', 31>(values, x, zero, t);
    stage<8, 'I', 32>(values, x, zero, t);
    stage<9, 'I', 33>(values, x, zero, t);
    stage<10, 'I', 34>(values, x, zero, t);
    stage<11, 'I', 35>(values, x, zero, t);
    stage<12, 'G', 0>(values, x, zero, t);
    stage<13, 'G', 1>(values, x, zero, t);
    for (int i = 0; i < stages; ++i) out[blockIdx.x * stages + i] = t[i + 1] - t[i];
}
__global__ void global_first_twin(const int* x, unsigned* out, const __grid_constant__ Values values) {
    if (threadIdx.x != 0) return;
    const int zero = threadIdx.y;
    unsigned t[stages + 1];
    t[0] = tick();
    stage<0, 'G', 0>(values, x, zero, t);
    stage<1, 'G', 0>(values, x, zero, t);
    stage<2, 'G', 0>(values, x, zero, t);
    stage<3, 'G', 0>(values, x, zero, t);
    stage<4, 'G', 0>(values, x, zero, t);
    stage<5, 'G', 0>(values, x, zero, t);
    stage<6, 'G', 0>(values, x, zero, t);
    stage<7, 'G', 0>(values, x, zero, t);
    stage<8, 'L', 20>(values, x, zero, t);
    stage<9, 'L', 20>(values, x, zero, t);
    stage<10, 'I', 20>(values, x, zero, t);
    stage<11, 'I', 20>(values, x, zero, t);
    stage<12, 'L', 20>(values, x, zero, t);
    stage<13, 'I', 20>(values, x, zero, t);
    for (int i = 0; i < stages; ++i) out[blockIdx.x * stages + i] = t[i + 1] - t[i];
}
__global__ void indexed_first_twin(const int* x, unsigned* out, const __grid_constant__ Values values) {
    if (threadIdx.x != 0) return;
    const int zero = threadIdx.y;
    unsigned t[stages + 1];
    t[0] = tick();
    stage<0, 'L', 20>(values, x, zero, t);
    stage<1, 'L', 20>(values, x, zero, t);
    stage<2, 'L', 20>(values, x, zero, t);
    stage<3, 'I', 20>(values, x, zero, t);
    stage<4, 'I', 20>(values, x, zero, t);
    stage<5, 'L', 20>(values, x, zero, t);
    stage<6, 'G', 0>(values, x, zero, t);
    stage<7, 'G', 0>(values, x, zero, t);
    stage<8, 'G', 0>(values, x, zero, t);
    stage<9, 'G', 0>(values, x, zero, t);
    stage<10, 'L', 20>(values, x, zero, t);
    stage<11, 'I', 20>(values, x, zero, t);
    stage<12, 'I', 20>(values, x, zero, t);
    stage<13, 'L', 20>(values, x, zero, t);
    for (int i = 0; i < stages; ++i) out[blockIdx.x * stages + i] = t[i + 1] - t[i];
}
__global__ void immediate_first_twin(const int* x, unsigned* out, const __grid_constant__ Values values) {
    if (threadIdx.x != 0) return;
    const int zero = threadIdx.y;
    unsigned t[stages + 1];
    t[0] = tick();
    stage<0, 'I', 20>(values, x, zero, t);
    stage<1, 'I', 20>(values, x, zero, t);
    stage<2, 'I', 20>(values, x, zero, t);
    stage<3, 'L', 20>(values, x, zero, t);
    stage<4, 'L', 20>(values, x, zero, t);
    stage<5, 'I', 20>(values, x, zero, t);
    stage<6, 'G', 0>(values, x, zero, t);
    stage<7, 'G', 0>(values, x, zero, t);
    stage<8, 'G', 0>(values, x, zero, t);
    stage<9, 'G', 0>(values, x, zero, t);
    stage<10, 'I', 20>(values, x, zero, t);
    stage<11, 'L', 20>(values, x, zero, t);
    stage<12, 'L', 20>(values, x, zero, t);
    stage<13, 'I', 20>(values, x, zero, t);
    for (int i = 0; i < stages; ++i) out[blockIdx.x * stages + i] = t[i + 1] - t[i];
}
__global__ void neighbours_twin(const int* x, unsigned* out, const __grid_constant__ Values values) {
    if (threadIdx.x != 0) return;
    const int zero = threadIdx.y;
    unsigned t[stages + 1];
    t[0] = tick();
    stage<0, 'L', 20>(values, x, zero, t);
    stage<1, 'L', 20>(values, x, zero, t);
    stage<2, 'L', 20>(values, x, zero, t);
    stage<3, 'L', 20>(values, x, zero, t);
    stage<4, 'L', 20>(values, x, zero, t);
    stage<5, 'L', 20>(values, x, zero, t);
    stage<6, 'I', 20>(values, x, zero, t);
    stage<7, 'I', 20>(values, x, zero, t);
    stage<8, 'I', 20>(values, x, zero, t);
    stage<9, 'I', 20>(values, x, zero, t);
    stage<10, 'I', 20>(values, x, zero, t);
    stage<11, 'I', 20>(values, x, zero, t);
    stage<12, 'G', 0>(values, x, zero, t);
    stage<13, 'G', 0>(values, x, zero, t);
    for (int i = 0; i < stages; ++i) out[blockIdx.x * stages + i] = t[i + 1] - t[i];
}

int main() {
    int* x;
    unsigned* out;
    constexpr size_t bytes = 64u << 20, words = 132 * stages;
    cudaMalloc(&x, bytes), cudaMemset(x, 0, bytes), cudaMalloc(&out, words * sizeof(unsigned));
    Values values{};
    std::vector<unsigned> host(words);
    std::printf("order,grid,launch,stage,operation,mean,least,most\n");
    using Kernel = void (*)(const int*, unsigned*, const Values);
    const struct { const char* name; Kernel kernel; const char* operations; } probes[] = {
        {"global_first", global_first, "G0  G1  G2  G16 G17 G18 G32 G33 L20 L24 I20 I28 L28 I32"},
        {"indexed_first", indexed_first, "L20 L24 L30 I20 I28 L28 G0  G1  G16 G17 L36 I36 I40 L41"},
        {"immediate_first", immediate_first, "I20 I24 I30 L20 L28 I28 G0  G1  G16 G17 I36 L36 L40 I41"},
        {"neighbours", neighbours, "L20 L21 L22 L23 L24 L25 I30 I31 I32 I33 I34 I35 G0  G1 "},
        {"global_first_twin", global_first_twin, "G0  G0  G0  G0  G0  G0  G0  G0  L20 L20 I20 I20 L20 I20"},
        {"indexed_first_twin", indexed_first_twin, "L20 L20 L20 I20 I20 L20 G0  G0  G0  G0  L20 I20 I20 L20"},
        {"immediate_first_twin", immediate_first_twin, "I20 I20 I20 L20 L20 I20 G0  G0  G0  G0  I20 L20 L20 I20"},
        {"neighbours_twin", neighbours_twin, "L20 L20 L20 L20 L20 L20 I20 I20 I20 I20 I20 I20 G0  G0 "},
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
                    std::printf("%s,%d,%d,%d,%.3s,%.1f,%u,%u\n", probe.name, grid, launch, s, probe.operations + 4 * s, double(sum) / grid, least, most);
                }
            }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
