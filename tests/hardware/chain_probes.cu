// Latencies of chains of dependent loads by one thread: through global memory over the bytes that the chain
// walks, warm, through the shared memory of the blocks of a cluster, and of each SM to lines of L2 one by one.
// nvcc -O3 -arch=sm_90; `staircase` prints h200_staircase.csv, `cluster` h200_cluster_latency.csv, `lines` what one
// line or one SM does not tell: some are near and some are far; `places` prints 2048 lines, one after another.
#include <cooperative_groups.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

namespace cg = cooperative_groups;

__device__ unsigned load(const unsigned* from) {
    unsigned value;
    asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

__global__ void chain(const unsigned* next, unsigned long long* result, unsigned warm, unsigned hops) {
    unsigned at = 0;
    for (unsigned i = 0; i < warm; i++) at = load(next + at);
    const unsigned long long begin = clock64();
    for (unsigned i = 0; i < hops; i++) at = load(next + at);
    result[0] = clock64() - begin;
    result[1] = at;
}

/// Thread 0 of block 0 reads zeros of block `of`, 1024 times, each address from the value before.
__global__ void cluster_chain(unsigned long long* result, int of, int zero) {
    __shared__ unsigned memory[64];
    auto cluster = cg::this_cluster();
    memory[threadIdx.x] = zero;
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        unsigned* there = cluster.map_shared_rank(memory, of);
        unsigned base, value = 0;
        asm("{.reg .u64 x; cvta.to.shared.u64 x,%1; cvt.u32.u64 %0,x;}" : "=r"(base) : "l"(there));
        for (int round = 0; round < 2; round++) {
            const unsigned long long begin = clock64();
#pragma unroll 16
            for (int i = 0; i < 1024; i++)
                asm volatile("ld.shared::cluster.u32 %0,[%1];" : "=r"(value) : "r"(base + value) : "memory");
            result[0] = clock64() - begin;
        }
        result[1] = value;
    }
    cluster.sync();
}

constexpr int kinds = 3;
constexpr const char* kind_names[kinds] = {"first load", "load", "atomic"};

/// Of one SM, line by line: cycles of the first load, which comes from DRAM, of loads that bypass L1, and of atomics
/// that add what the last one returned (always 0). `apart` words from line to line; 132 blocks, one per SM, of which
/// only `which` stays.
__global__ void line_chains(unsigned* data, unsigned apart, int lines, int which, unsigned* cycles, unsigned* sm) {
    constexpr int rounds = 8;
    if (blockIdx.x != which) return;
    asm volatile("mov.u32 %0,%%smid;" : "=r"(*sm));
    unsigned value = 0;
    for (int i = 0; i < lines; i++) {
        unsigned* at = data + size_t(i) * apart;
        for (int kind = 0; kind < kinds; kind++) {
            const long long begin = clock64();
#pragma unroll
            for (int k = 0; k < rounds; k++) {
                if (kind == 0 && k > 0) continue;
                if (kind == 2) asm volatile("atom.global.add.u32 %0,[%1],%0;" : "+r"(value) : "l"(at + value) : "memory");
                else asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(value) : "l"(at + value) : "memory");
            }
            if (value != 0) asm volatile("trap;");  // waits for it
            cycles[kinds * i + kind] = unsigned(clock64() - begin) / (kind == 0 ? 1 : rounds);
        }
    }
}

/// What line_chains needs, and its result for one block: `kinds` numbers for each line.
struct LineChains {
    static constexpr size_t others = size_t{256} << 20;
    unsigned *data, *other, *cycles, *sm, its_sm = 0;
    unsigned apart, count;

    LineChains(unsigned apart, unsigned count) : apart(apart), count(count) {
        cudaMalloc(&data, size_t{count} * apart * 4);
        cudaMalloc(&other, others);
        cudaMalloc(&cycles, count * kinds * 4);
        cudaMalloc(&sm, 4);
        cudaMemset(data, 0, size_t{count} * apart * 4);
    }

    std::vector<unsigned> of_block(int which) {
        for (int again = 0; again < 2; again++) {
            cudaMemset(other, 0, others);  // pushes the lines out of L2
            line_chains<<<132, 1, 40 * 1024>>>(data, apart, count, which, cycles, sm);
        }
        std::vector<unsigned> host(kinds * count);
        cudaMemcpy(host.data(), cycles, count * kinds * 4, cudaMemcpyDeviceToHost);
        cudaMemcpy(&its_sm, sm, 4, cudaMemcpyDeviceToHost);
        return host;
    }
};

void lines() {
    constexpr int count = 512;
    LineChains chains(4096 + 32, count);
    std::puts("sm,kind,mean,least,tenth,median,ninetieth,most");
    for (int which = 0; which < 132; which++) {
        const std::vector<unsigned> host = chains.of_block(which);
        for (int kind = 0; kind < kinds; kind++) {
            std::vector<unsigned> v;
            double sum = 0;
            for (int i = 0; i < count; i++) v.push_back(host[kinds * i + kind]), sum += v.back();
            std::sort(v.begin(), v.end());
            std::printf("%u,%s,%.1f,%u,%u,%u,%u,%u\n", chains.its_sm, kind_names[kind], sum / count, v[0], v[count / 10],
                        v[count / 2], v[count * 9 / 10], v[count - 1]);
        }
    }
}

void places() {
    constexpr int count = 2048;
    LineChains chains(32, count);  // lines of 128 bytes
    std::puts("sm,address,first_load,load,atomic");
    const std::vector<unsigned> host = chains.of_block(0);
    for (int i = 0; i < count; i++)
        std::printf("%u,0x%zx,%u,%u,%u\n", chains.its_sm, size_t(chains.data + size_t(i) * chains.apart), host[kinds * i],
                    host[kinds * i + 1], host[kinds * i + 2]);
}

void staircase(unsigned long long* result) {
    constexpr size_t most = size_t{1} << 30;
    unsigned* next;
    cudaMalloc(&next, most);
    std::vector<unsigned> host(most / 4);
    std::puts("bytes,stride,cycles");
    for (unsigned stride : {64u, 128u, 4096u})
        for (size_t power = 4096; power <= most; power *= 2)
            for (const size_t bytes : {power, power * 3 / 2}) {
                if (bytes > most) continue;
                const size_t links = bytes / stride;
                for (size_t i = 0; i < links; i++) host[i * (stride / 4)] = (i + 1) % links * (stride / 4);
                cudaMemcpy(next, host.data(), bytes, cudaMemcpyHostToDevice);
                const unsigned hops = std::min<size_t>(std::max<size_t>(links, 4096), 1 << 19);
                chain<<<1, 1>>>(next, result, std::max<size_t>(2 * links, 4096), hops);
                cudaDeviceSynchronize();
                std::printf("%zu,%u,%.1f\n", bytes, stride, double(result[0]) / hops);
            }
}

void cluster(unsigned long long* result) {
    std::puts("blocks,of_block,cycles");
    for (int blocks : {1, 2, 4, 8})
        for (int of = 0; of < blocks; of++) {
            cudaLaunchConfig_t launch = {};
            launch.gridDim = blocks;
            launch.blockDim = 64;
            cudaLaunchAttribute size;
            size.id = cudaLaunchAttributeClusterDimension;
            size.val.clusterDim = {unsigned(blocks), 1, 1};
            launch.attrs = &size;
            launch.numAttrs = 1;
            cudaLaunchKernelEx(&launch, cluster_chain, result, of, 0);
            cudaDeviceSynchronize();
            std::printf("%d,%d,%.1f\n", blocks, of, double(result[0]) / 1024);
        }
}

int main(int count, char** words) {
    unsigned long long* result;
    cudaMallocManaged(&result, 16);
    if (count == 2 && std::strcmp(words[1], "cluster") == 0) cluster(result);
    else if (count == 2 && std::strcmp(words[1], "lines") == 0) lines();
    else if (count == 2 && std::strcmp(words[1], "places") == 0) places();
    else staircase(result);
}
