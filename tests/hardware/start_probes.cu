// How the warps of an SM begin: the SM's clock at each warp's first instructions, in their order. `starts`: warps that arrive
// together with no work, so many on an SM, in one wave and in three. `gather`: the catalogue's kernel of that name, with the
// clock when a warp begins, has its indices, has its elements and has stored them, on every sixteenth SM.
//   nvcc -O3 -std=c++17 -arch=sm_90 start_probes.cu -o start_probes
//   ncu --cache-control all --metrics sm__cycles_active.max ./start_probes; the same with none
#include "probe_support.cuh"

#include <array>
#include <map>

struct Values { int a[256]; };
constexpr int stages = 6;
struct Row { unsigned sm, t[stages]; };

__device__ __forceinline__ unsigned tick() {
    unsigned c;
    asm volatile("mov.u32 %0,%%clock;" : "=r"(c)::"memory");
    return c;
}
// Ends the thread if v is what it never is, so that the next clock read waits for v.
__device__ __forceinline__ void need(unsigned v) {
    asm volatile("{ .reg .pred p; setp.eq.u32 p,%0,1234567891; @p trap; }" ::"r"(v) : "memory");
}
__device__ __forceinline__ unsigned sm() {
    unsigned v;
    asm volatile("mov.u32 %0,%%smid;" : "=r"(v));
    return v;
}

/// Clocks: at its begin; with its number in the block; with its block's number; with an indexed constant; with an immediate
/// one; with a word from memory.
__global__ void starts(Row* out, const unsigned* in, const __grid_constant__ Values values) {
    Row row;
    row.t[0] = tick();
    unsigned thread, block, word;
    asm volatile("mov.u32 %0,%%tid.x;" : "=r"(thread)::"memory");
    need(thread);
    row.t[1] = tick();
    asm volatile("mov.u32 %0,%%ctaid.x;" : "=r"(block)::"memory");
    need(block);
    row.t[2] = tick();
    need(unsigned(values.a[thread >> 10]));
    row.t[3] = tick();
    unsigned product;
    asm volatile("mad.lo.u32 %0,%1,%2,%1;" : "=r"(product) : "r"(thread), "r"(values.a[64]) : "memory");
    need(product);
    row.t[4] = tick();
    asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(word) : "l"(in + (block * blockDim.x + thread)) : "memory");
    need(word);
    row.t[5] = tick();
    row.sm = sm();
    if (thread % 32 == 0) out[(block * blockDim.x + thread) / 32] = row;
}

__global__ void gather(const float* input, const int* places, float* output, int n, Row* out) {
    Row row;
    row.t[0] = tick();
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        const int place = places[index];
        need(place);
        row.t[1] = tick();
        const float value = input[place];
        need(__float_as_uint(value));
        row.t[2] = tick();
        output[index] = value;
        row.t[3] = tick();
    }
    row.t[4] = row.t[5] = row.t[3];
    row.sm = sm();
    if (row.sm % 16 == 0 && threadIdx.x % 32 == 0) out[index / 32] = row;
}

/// By SM, in the order of their begin.
std::map<unsigned, std::vector<Row>> read_rows(const Row* device, std::size_t count) {
    std::vector<Row> rows(count);
    CK(cudaDeviceSynchronize());
    CK(cudaMemcpy(rows.data(), device, sizeof(Row) * count, cudaMemcpyDeviceToHost));
    std::map<unsigned, std::vector<Row>> of;
    for (const Row& row : rows)
        if (row.t[5] != 0) of[row.sm].push_back(row);
    for (auto& [sm, each] : of) {
        const unsigned base = each[0].t[0];
        std::sort(each.begin(), each.end(), [&](const Row& a, const Row& b) { return int(a.t[0] - base) < int(b.t[0] - base); });
    }
    return of;
}

int main() {
    constexpr int most = 132 * 64 * 4;
    Row* rows;
    unsigned* in;
    CK(cudaMalloc(&rows, sizeof(Row) * most));
    CK(cudaMalloc(&in, 4 * std::size_t(most) * 32));
    CK(cudaMemset(in, 0, 4 * std::size_t(most) * 32));
    std::printf("probe,threads,blocks,waves,place,begin,thread,block,indexed,immediate,word\n");
    CK(cudaFuncSetAttribute(starts, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    for (const auto& [threads, blocks, waves] : std::vector<std::array<int, 3>>{
             {256, 8, 1}, {256, 1, 1}, {256, 2, 1}, {256, 4, 1}, {256, 5, 1}, {256, 6, 1}, {256, 8, 1}, {128, 16, 1}, {64, 32, 1},
             {1024, 2, 1}, {512, 4, 1}, {256, 8, 3}, {128, 16, 3}, {1024, 2, 3}}) {
        const int count = 132 * blocks * waves * threads / 32;
        CK(cudaMemset(rows, 0, sizeof(Row) * most));
        const int shared = blocks * threads < 2048 ? 227 * 1024 / blocks - 2048 : 0;
        starts<<<132 * blocks * waves, threads, std::min(shared, 200 * 1024)>>>(rows, in, Values{});
        CK(cudaGetLastError());
        const auto of = read_rows(rows, count);
        // The mean over the SMs that have as many warps as the most.
        std::size_t warps = std::size_t(blocks) * waves * threads / 32, sms = 0;
        std::vector<std::array<double, stages>> sums(warps);
        for (const auto& [sm, each] : of) {
            if (each.size() != warps) continue;
            ++sms;
            for (std::size_t i = 0; i < warps; ++i) {
                sums[i][0] += int(each[i].t[0] - each[0].t[0]);
                for (int s = 1; s < stages; ++s) sums[i][s] += int(each[i].t[s] - each[i].t[s - 1]);
            }
        }
        for (std::size_t i = 0; i < warps && sms > 0; ++i) {
            std::printf("starts,%d,%d,%d,%zu", threads, blocks, waves, i);
            for (const double sum : sums[i]) std::printf(",%.1f", sum / double(sms));
            std::printf("\n");
        }
    }
    constexpr int n = 1 << 20;
    std::vector<int> places(n);
    unsigned long long seed = 12345;
    for (int& place : places) place = int((seed = seed * 6364136223846793005ull + 1442695040888963407ull) >> 33) % n;
    int* at;
    float *input, *output;
    CK(cudaMalloc(&at, 4 * n));
    CK(cudaMalloc(&input, 4 * n));
    CK(cudaMalloc(&output, 4 * n));
    CK(cudaMemcpy(at, places.data(), 4 * n, cudaMemcpyHostToDevice));
    CK(cudaMemset(input, 0, 4 * n));
    for (const int threads : {256, 1024, 64}) {
        CK(cudaMemset(rows, 0, sizeof(Row) * most));
        gather<<<n / threads, threads>>>(input, at, output, n, rows);
        CK(cudaGetLastError());
        int printed = 0;
        for (const auto& [sm, each] : read_rows(rows, n / 32))
            for (std::size_t i = 0; i < each.size() && printed < 4; i += 1) {
                std::printf("gather,%d,%u,%zu,%zu,%d", threads, sm, each.size(), i, int(each[i].t[0] - each[0].t[0]));
                for (int s = 1; s < stages; ++s) std::printf(",%d", int(each[i].t[s] - each[i].t[s - 1]));
                std::printf("\n");
                printed += i + 1 == each.size();
            }
    }
    return 0;
}
