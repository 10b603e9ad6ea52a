// Monte Carlo estimate of pi with a counter-based generator; block size from the occupancy calculator.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char *file, int line) {
    if (err != cudaSuccess) {
        std::cerr << cudaGetErrorString(err) << " in " << file << " at line " << line << std::endl;
        exit(EXIT_FAILURE);
    }
}

__device__ uint32_t pcg_hash(uint32_t input) {
    uint32_t state = input * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

__global__ void estimate(unsigned long long *hits, int samples_per_thread, uint32_t seed) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    uint32_t id = block.group_index().x * block.size() + block.thread_rank();
    uint32_t s = pcg_hash(id ^ seed);
    unsigned inside = 0;
    for (int i = 0; i < samples_per_thread; ++i) {
        s = pcg_hash(s);
        float x = (s >> 8) * (1.0f / 16777216.0f);
        s = pcg_hash(s);
        float y = (s >> 8) * (1.0f / 16777216.0f);
        inside += x * x + y * y <= 1.0f;
    }
    unsigned total = cg::reduce(tile, inside, cg::plus<unsigned>());
    if (tile.thread_rank() == 0) atomicAdd(hits, (unsigned long long)total);
}

int main(int argc, char **argv) {
    const long long total_samples = argc > 1 ? atoll(argv[1]) : (1LL << 24);
    int minGridSize = 0, blockSize = 0;
    HANDLE_ERROR(cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, estimate, 0, 0));
    const int samples_per_thread = 64;
    const int threads = static_cast<int>((total_samples + samples_per_thread - 1) / samples_per_thread);
    const int gridSize = (threads + blockSize - 1) / blockSize;
    unsigned long long *hits;
    HANDLE_ERROR(cudaMallocManaged(&hits, sizeof(*hits)));
    *hits = 0;
    estimate<<<gridSize, blockSize>>>(hits, samples_per_thread, 1234u);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaDeviceSynchronize());
    std::cout << "pi ~ " << 4.0 * *hits / ((double)gridSize * blockSize * samples_per_thread) << std::endl;
    cudaFree(hits);
    return 0;
}
