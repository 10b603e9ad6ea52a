// How early an SM is free that writes lines at its end: a burst of lines by each SM after all have met, lines that L2 does
// not have and lines that it has, when the last store has gone out and when a fence says that L2 has them.
// nvcc -O3 -arch=sm_90; prints CSV rows what,parameters,value,unit.
#include "probe_support.cuh"

#include <algorithm>

struct Burst {
    long long begin, issued, there;
};

char* area;      // 512 MiB, written by the bursts
char* far_away;  // 512 MiB, read to fill L2 with clean lines
unsigned* met;
unsigned* sink;

__device__ void meet(unsigned* met, unsigned blocks) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(met, 1u);
        while (*(volatile unsigned*)met < blocks) {}
    }
    __syncthreads();
}

/// Each warp reads `reads` lines, all together, and writes `lines` lines, one after another, of its own.
__global__ void __launch_bounds__(256) burst(Burst* bursts, float* out, const float* in, unsigned* met, unsigned* sink, int lines, int reads, int writers) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float* own = out + (size_t(blockIdx.x) * 8 + warp) * lines * 32 + lane;
    const float* from = in + (size_t(blockIdx.x) * 8 + warp) * reads * 32 + lane;
    __shared__ long long issued[8], there[8];
    meet(met, gridDim.x);
    const long long t0 = now();
    float sum = 0;
    for (int i = 0; i < reads; i += 8) {
        float part[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) part[k] = from[(i + k) * 32];
#pragma unroll
        for (int k = 0; k < 8; ++k) sum += part[k];
    }
    if (int(blockIdx.x) < writers) {
#pragma unroll 8
        for (int i = 0; i < lines; ++i) own[size_t(i) * 32] = sum;
    }
    if (lane == 0) issued[warp] = now();
    __threadfence();
    if (lane == 0) there[warp] = now();
    __syncthreads();
    if (threadIdx.x == 0) {
        Burst b = {t0, issued[0], there[0]};
        for (int i = 1; i < 8; ++i) b.issued = max(b.issued, issued[i]), b.there = max(b.there, there[i]);
        bursts[blockIdx.x] = b;
    }
    if (sum == 12345.25f) sink[0] = 1;
}
__global__ void read_all(const uint4* from, unsigned* out, size_t n) {
    unsigned total = 0;
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x) total += from[i].x;
    if (total == 12345) out[0] = total;
}

void burst_row(int lines, int reads, int writers, bool again) {
    static Burst* bursts = nullptr;
    if (!bursts) CK(cudaMalloc(&bursts, sizeof(Burst) * 132));
    double issued[5], there[5], longest[5];
    for (int run = 0; run < 5; ++run) {
        read_all<<<1056, 512>>>((const uint4*)far_away, sink, (size_t{256} << 20) / 16);
        float* out = (float*)(area + (size_t(run) * 100 << 20));
        if (again) CK(cudaMemset(out, 0, size_t(132) * 8 * lines * 128));
        CK(cudaMemset(met, 0, 4));
        burst<<<132, 256, 120 * 1024>>>(bursts, out, (const float*)(far_away + (size_t{256} << 20)), met, sink, lines, reads, writers);
        CK(cudaDeviceSynchronize());
        Burst host[132];
        CK(cudaMemcpy(host, bursts, sizeof host, cudaMemcpyDeviceToHost));
        issued[run] = there[run] = longest[run] = 0;
        for (int i = 0; i < writers; ++i) {
            issued[run] += double(host[i].issued - host[i].begin) / writers;
            there[run] += double(host[i].there - host[i].begin) / writers;
            longest[run] = std::max(longest[run], double(host[i].there - host[i].begin));
        }
    }
    std::sort(issued, issued + 5), std::sort(there, there + 5), std::sort(longest, longest + 5);
    char q[128];
    std::snprintf(q, sizeof q, "lines=%d reads=%d sms=%d again=%d", lines * 8, reads * 8, writers, again ? 1 : 0);
    row("burst_issued", q, issued[2], "cycles mean SM");
    row("burst_there", q, there[2], "cycles mean SM");
    row("burst_there_longest", q, longest[2], "cycles longest SM");
}

int main() {
    CK(cudaMalloc(&area, size_t{512} << 20));
    CK(cudaMalloc(&far_away, size_t{512} << 20));
    CK(cudaMalloc(&met, 4));
    CK(cudaMalloc(&sink, 4));
    CK(cudaFuncSetAttribute(burst, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 * 1024));
    std::printf("what,parameters,value,unit\n");
    for (int reads : {0, 64})
        for (int sms : {1, 16, 66, 132})
            for (bool again : {false, true})
                for (int lines : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}) burst_row(lines, reads, sms, again);
    return 0;
}
