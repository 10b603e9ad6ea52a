#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void sum_squares(const float* data, float* result, int n) {
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    float local = 0.0f;
    for (int i = idx; i < n; i += gridDim.x * blockDim.x) {
        local += data[i] * data[i];
    }
    atomicAdd(result, local);
}

int main() {
    const int n = 1 << 22;
    std::vector<float> h(n);
    for (int i = 0; i < n; i++) h[i] = (i % 10) * 0.5f;
    float *data, *result;
    cudaMalloc(&data, n * sizeof(float));
    cudaMalloc(&result, sizeof(float));
    cudaMemcpy(data, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(result, 0, sizeof(float));
    sum_squares<<<256, 256>>>(data, result, n);
    cudaDeviceSynchronize();
    return 0;
}
