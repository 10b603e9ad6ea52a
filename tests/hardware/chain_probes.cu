// Latencies of chains of dependent loads by one thread: through global memory over the bytes that the chain
// walks, warm, and through the shared memory of the blocks of a cluster.
// nvcc -O3 -arch=sm_90; `staircase` prints h200_staircase.csv, `cluster` h200_cluster_latency.csv.
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
    else staircase(result);
}
