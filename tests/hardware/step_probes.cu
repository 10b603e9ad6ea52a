// Cold lines that a warp of each of several SMs reads in step: who reads a line first, and how long all wait. A half of L2
// is the parity of address bits (docs/timing_model.md), of which those within 2 MiB are known here.
//   step_probes     prints rows of CSV: mean cycles of a round of loads, and the part of the rounds that took longer than 560
#include "probe_support.cuh"

namespace {
constexpr int sms = 132, rounds = 512;
constexpr unsigned region = 2u << 20, line = 128;

__global__ void read_all(const uint4* from, unsigned* out, size_t n) {
    unsigned sum = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) sum += from[i].x;
    if (sum == 12345) *out = sum;
}

constexpr int LOADS = 8;

// Each round loads `LOADS` lines at once and waits for all; `offsets` says where they are.
__global__ void in_step(const char* data, const unsigned* __restrict__ offsets, int work, unsigned short* took) {
    __shared__ unsigned places[rounds * LOADS];
    __shared__ unsigned short own[rounds];
    for (int i = threadIdx.x; i < rounds * LOADS; i += 32) places[i] = offsets[i];
    __syncwarp();
    unsigned before = 0;
    for (int i = 0; i < rounds; ++i) {
        unsigned found[LOADS];
        const long long a = now();
#pragma unroll
        for (int k = 0; k < LOADS; ++k) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(found[k]) : "l"(data + places[i * LOADS + k] + (before == 0xdeadbeefu)) : "memory");
        before = 0;
#pragma unroll
        for (int k = 0; k < LOADS; ++k) before += found[k];
        asm volatile("" ::"r"(before) : "memory");
        const long long b = now() + (before == 0xdeadbeefu);
        if (threadIdx.x == 0) own[i] = (unsigned short)min(b - a, 65535ll);
        if (work > 0) {
            unsigned mixed = (blockIdx.x * 4096u + i) * 0x7feb352du;
            mixed = (mixed ^ mixed >> 15) * 0x846ca68bu;
            const int cycles = work * 3 / 4 + int((mixed >> 8) % unsigned(work / 2 + 1));
            while (now() - b < cycles) {}
        }
    }
    for (int i = threadIdx.x; i < rounds; i += 32) took[blockIdx.x * rounds + i] = own[i];
}

unsigned half_of(unsigned offset) { return unsigned(__builtin_popcount(offset & ((1u << 12) | (1u << 13) | (1u << 15) | (1u << 17) | (1u << 19)))) & 1u; }

// Lines of the region: "run" one after another, "one" those of one half, "turn" of both halves in turn.
std::vector<unsigned> lines_of(const char* order, int count) {
    std::vector<unsigned> halves[2], out;
    for (unsigned at = 0; at < region; at += line) halves[half_of(at)].push_back(at);
    for (int i = 0; i < count; ++i)
        out.push_back(order[0] == 'r' ? unsigned(i) * line : order[0] == 'o' ? halves[0][i] : halves[i % 2][i / 2]);
    return out;
}

void print(const char* data, char* big, size_t big_bytes, unsigned* sink) {
    unsigned* offsets;
    unsigned short* took;
    CK(cudaMalloc(&offsets, rounds * LOADS * 4));
    CK(cudaMalloc(&took, sizeof(unsigned short) * rounds * sms));
    for (const char* order : {"run", "one", "turn"}) {
        const std::vector<unsigned> lines = lines_of(order, rounds * LOADS);
        CK(cudaMemcpy(offsets, lines.data(), lines.size() * 4, cudaMemcpyHostToDevice));
        for (int work : {0, 400})
            for (int blocks : {1, 2, 4, 8, 16, 33, 66, 132}) {
                double mean = 0, late = 0;
                constexpr int again = 4;
                for (int k = 0; k < again; ++k) {
                    read_all<<<1056, 256>>>(reinterpret_cast<const uint4*>(big), sink, big_bytes / 16);
                    CK(cudaDeviceSynchronize());
                    in_step<<<blocks, 32>>>(data + size_t(k) * region, offsets, work, took);
                    CK(cudaDeviceSynchronize());
                    std::vector<unsigned short> host(size_t(rounds) * blocks);
                    CK(cudaMemcpy(host.data(), took, host.size() * 2, cudaMemcpyDeviceToHost));
                    for (const unsigned short cycles : host) mean += cycles, late += cycles > 560;
                }
                const double all = double(rounds) * blocks * again;
                std::printf("%s,%d,%d,%d,%.1f,%.3f\n", order, LOADS, work, blocks, mean / all, late / all);
            }
    }
    CK(cudaFree(offsets));
    CK(cudaFree(took));
}
}  // namespace

int main() {
    const size_t big_bytes = size_t(256) << 20;
    char *big, *data;
    unsigned* sink;
    CK(cudaMalloc(&big, big_bytes));
    CK(cudaMemset(big, 1, big_bytes));
    CK(cudaMalloc(&data, size_t(16) << 20));
    CK(cudaMemset(data, 0, size_t(16) << 20));
    CK(cudaMalloc(&sink, 256));
    std::printf("order,loads,work,blocks,mean,longer_than_560\n");
    print(data, big, big_bytes, sink);
    return 0;
}
