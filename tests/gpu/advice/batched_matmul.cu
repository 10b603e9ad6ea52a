#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

// one 32x32 matrix product per block
__global__ void bmm(const float* A, const float* B, float* C, int n) {
    int batch = blockIdx.x;
    int i = threadIdx.x;
    int j = threadIdx.y;
    const float* a = A + batch * n * n;
    const float* b = B + batch * n * n;
    float acc = 0;
    for (int k = 0; k < n; k++) acc += a[i * n + k] * b[k * n + j];
    C[batch * n * n + i * n + j] = acc;
}

int main() {
    const int n = 32, batches = 1024;
    std::vector<float> a(batches * n * n), b(batches * n * n);
    for (size_t i = 0; i < a.size(); i++) {
        a[i] = (i % 11) * 0.5f;
        b[i] = (i % 7) * 0.25f;
    }
    float *dA, *dB, *dC;
    cudaMalloc(&dA, a.size() * sizeof(float));
    cudaMalloc(&dB, b.size() * sizeof(float));
    cudaMalloc(&dC, a.size() * sizeof(float));
    cudaMemcpy(dA, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dB, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
    bmm<<<batches, dim3(n, n)>>>(dA, dB, dC, n);
    cudaDeviceSynchronize();
    return 0;
}
