// Constant loads whose lanes want several words: cycles for 64 loads of each warp, each load's index from the
// one before it. One block; the first two passes fetch the lines. The table h100_constant_words.csv.
//   nvcc -O3 -arch=sm_90 constant_probes.cu -o constant_probes && ./constant_probes
#include <cstdio>

constexpr int loads = 64, entries = 1024;
__constant__ int table[entries];  // zeros

__global__ void chain(int* out, long long* cycles, int words) {
    const int first = threadIdx.x % 32 % words;
    int sum = 0;
    long long begin = 0, end = 0;
    for (int pass = 0; pass < 3; ++pass) {
        __syncthreads();
        begin = clock64();
        int at = first;
        for (int load = 0; load < loads; ++load) at = table[at % entries] + first;
        sum += at;
        if (sum == 123456789) out[0] = 1;
        __syncthreads();
        end = clock64();
    }
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0) *cycles = end - begin;
}

int main() {
    int* out;
    long long *cycles, host = 0;
    cudaMalloc(&out, 1024 * sizeof(int));
    cudaMalloc(&cycles, sizeof(long long));
    std::printf("words,warps,cycles\n");
    for (int words = 1; words <= 32; words *= 2)
        for (int warps = 1; warps <= 32; warps *= 2) {
            chain<<<1, warps * 32>>>(out, cycles, words);
            cudaMemcpy(&host, cycles, sizeof(host), cudaMemcpyDeviceToHost);
            std::printf("%d,%d,%lld\n", words, warps, host);
        }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
