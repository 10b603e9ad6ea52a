// Launch parameters. With no argument: when blocks start and end on the SMs, by clock64, as CSV rows
// what,parameters,value,unit. With "profile": small launches for the profiler to count cycles of, in the order
// they are printed (launch,parameters), for sm__cycles_elapsed.max and others.
// nvcc -O3 -arch=sm_90.
#include <cstring>
#include <map>

#include "probe_support.cuh"

__global__ void empty() {}

__global__ void spin(long long cycles) {
    const long long t0 = now();
    while (now() - t0 < cycles) {
    }
}

__global__ void read(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] == 12345.f) y[i] = 1;
}

__global__ void write(float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 1;
}

__global__ void copy(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}

__global__ void add_one(int* h) { atomicAdd(h, 1); }

__global__ void add_bins(int* h) { atomicAdd(h + ((blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u >> 8) % 256, 1); }

struct BlockTime {
    long long begin, last_begin, end, time;  // first warp's first clock, last warp's, last warp's last, globaltimer
    unsigned sm, pad;
};

/// Each block spins, and says when its warps started and ended.
__global__ void block_times(BlockTime* out, int cycles) {
    const long long t0 = now();
    __shared__ unsigned long long first, last;
    long long time;
    asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(time));
    if (threadIdx.x == 0) first = ~0ull, last = 0;
    __syncthreads();
    if ((threadIdx.x & 31) == 0) atomicMin(&first, (unsigned long long)t0), atomicMax(&last, (unsigned long long)t0);
    while (now() - t0 < cycles) {
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
        out[blockIdx.x] = {(long long)first, (long long)last, now(), time, sm, 0};
    }
}

void blocks(int threads, int shared, int grid, int cycles) {
    BlockTime* device;
    CK(cudaMalloc(&device, sizeof(BlockTime) * grid));
    CK(cudaFuncSetAttribute(block_times, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    for (int i = 0; i < 3; i++) block_times<<<grid, threads, shared>>>(device, cycles);
    CK(cudaDeviceSynchronize());
    std::vector<BlockTime> host(grid);
    CK(cudaMemcpy(host.data(), device, sizeof(BlockTime) * grid, cudaMemcpyDeviceToHost));
    CK(cudaFree(device));
    std::map<unsigned, std::vector<BlockTime>> by_sm;
    for (const BlockTime& b : host) by_sm[b.sm].push_back(b);
    std::vector<double> gaps, replacements, warp_spread, firsts;
    int resident = 0;
    long long least_time = host[0].time;
    for (const BlockTime& b : host) least_time = std::min(least_time, b.time);
    for (auto& [sm, list] : by_sm) {
        std::sort(list.begin(), list.end(), [](const BlockTime& a, const BlockTime& b) { return a.begin < b.begin; });
        long long first_end = list[0].end;
        for (const BlockTime& b : list) first_end = std::min(first_end, b.end);
        int count = 0;
        for (const BlockTime& b : list) count += b.begin < first_end;
        resident = std::max(resident, count);
        firsts.push_back(double(list[0].time - least_time));
        for (int i = 1; i < count; i++) gaps.push_back(double(list[i].begin - list[i - 1].begin));
        // The k-th replacement begins after the k-th end.
        std::vector<long long> ends;
        for (const BlockTime& b : list) ends.push_back(b.end), warp_spread.push_back(double(b.last_begin - b.begin));
        std::sort(ends.begin(), ends.end());
        for (size_t i = count; i < list.size(); i++) replacements.push_back(double(list[i].begin - ends[i - count]));
    }
    char q[128];
    std::snprintf(q, sizeof q, "threads=%d shared=%d grid=%d spin=%d resident=%d", threads, shared, grid, cycles, resident);
    if (!gaps.empty()) row("block_arrival_gap", q, median(gaps), "cycles between two blocks that arrive on one SM, median");
    if (!replacements.empty()) {
        row("block_replacement", q, median(replacements), "cycles from a block's last clock to its successor's first, median");
        row("block_replacement_least", q, *std::min_element(replacements.begin(), replacements.end()), "the least");
    }
    row("block_warp_spread", q, median(warp_spread), "cycles from the first to the last warp's first clock, median");
    row("sm_first_block", q, *std::max_element(firsts.begin(), firsts.end()), "ns from the first SM's first block to the last SM's");
}

int main(int count, char** arguments) {
    float *x, *y;
    int* h;
    CK(cudaMalloc(&x, 256 << 20)); CK(cudaMalloc(&y, 256 << 20)); CK(cudaMalloc(&h, 4096));
    CK(cudaMemset(x, 0, 256 << 20)); CK(cudaMemset(h, 0, 4096));
    if (count < 2 || std::strcmp(arguments[1], "profile") != 0) {
        for (int threads : {32, 64, 128, 256, 512, 1024}) {
            blocks(threads, 0, 132, 2000);
            blocks(threads, 0, 132 * 64, 2000);
            blocks(threads, 0, 132 * 64, 20000);
            blocks(threads, 100 * 1024, 132 * 8, 2000);
        }
        return 0;
    }
    std::printf("launch,parameters\n");
    for (int grid : {1, 132, 264, 1024, 4096, 16384}) for (int threads : {32, 64, 256, 1024}) {
        empty<<<grid, threads>>>();
        std::printf("empty,grid=%d threads=%d\n", grid, threads);
    }
    for (int cycles : {1000, 4000}) for (int grid : {1, 132}) {
        spin<<<grid, 256>>>(cycles);
        std::printf("spin,grid=%d threads=256 cycles=%d\n", grid, cycles);
    }
    for (int threads : {64, 256, 1024}) for (int n = 1 << 10; n <= 1 << 24; n <<= 2) {
        if (n < threads) continue;
        read<<<n / threads, threads>>>(x, y, n);
        std::printf("read,n=%d threads=%d\n", n, threads);
        write<<<n / threads, threads>>>(y, n);
        std::printf("write,n=%d threads=%d\n", n, threads);
        copy<<<n / threads, threads>>>(x, y, n);
        std::printf("copy,n=%d threads=%d\n", n, threads);
    }
    for (int grid : {1, 132, 1024}) {
        add_one<<<grid, 256>>>(h);
        std::printf("add_one,grid=%d threads=256\n", grid);
        add_bins<<<grid, 256>>>(h);
        std::printf("add_bins,grid=%d threads=256\n", grid);
    }
    CK(cudaDeviceSynchronize());
}
