#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void dot(const float* a, const float* b, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(result, a[i] * b[i]);
}
int main() {
    const int n = 1 << 20;
    std::vector<float> h(n, 0.5f);
    float *a, *b, *result;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, n * 4);
    cudaMalloc(&result, 4);
    cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemset(result, 0, 4);
    dot<<<(n + 255) / 256, 256>>>(a, b, result, n);
    cudaDeviceSynchronize();
}
