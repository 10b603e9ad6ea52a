#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void histogram(const unsigned char* data, unsigned int* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    for (; i < n; i += stride) atomicAdd(&bins[data[i]], 1u);
}
int main() {
    const int n = 1 << 22;
    std::vector<unsigned char> h(n);
    for (int i = 0; i < n; ++i) h[i] = rand() % 256;
    unsigned char* data;
    unsigned int* bins;
    cudaMalloc(&data, n);
    cudaMalloc(&bins, 256 * sizeof(unsigned int));
    cudaMemcpy(data, h.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, 256 * sizeof(unsigned int));
    histogram<<<256, 256>>>(data, bins, n);
    cudaDeviceSynchronize();
}
