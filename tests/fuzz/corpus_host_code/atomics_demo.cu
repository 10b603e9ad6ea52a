#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>

__device__ unsigned long long int total;
__constant__ float weights[16];

extern "C" __global__ void count_and_weigh(const int *keys, float *sums, int *counts, int n)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    const int key = keys[i] & 15;
    atomicAdd(&counts[key], 1);
    atomicAdd(&sums[key], weights[key] + 1.0f);
    if ((threadIdx.x & 31) == 0) atomicAdd(&total, 32ull);
}

int main()
{
    constexpr int n = 1 << 15;
    thrust::host_vector<int> h_keys(n);
    thrust::sequence(h_keys.begin(), h_keys.end());
    thrust::device_vector<int> keys = h_keys;
    thrust::device_vector<float> sums(16, 0.f);
    thrust::device_vector<int> counts(16);

    float table[16];
    for (int i = 0; i < 16; ++i) table[i] = 1.0f / (i + 1);
    cudaMemcpyToSymbol(weights, table, sizeof table);

    const auto launch = [&](int threads) {
        const int blocks = (n + threads - 1) / threads;
        count_and_weigh<<<blocks, threads>>>(thrust::raw_pointer_cast(keys.data()),
                                             thrust::raw_pointer_cast(sums.data()),
                                             thrust::raw_pointer_cast(&counts[0]), n);
    };
    launch(128);
    cudaDeviceSynchronize();
    const thrust::host_vector<int> got = counts;
    for (int key = 0; key < 16; ++key) std::printf("%d: %d\n", key, got[key]);
    return 0;
}
