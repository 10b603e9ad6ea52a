#include <cuda_runtime.h>
#include <vector>
__global__ void conv1d(const float* x, const float* w, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = 0;
    for (int k = 0; k < 15; ++k)
        if (i + k < n) y[i] += x[i + k] * w[k];
}

int main() {
    const int count = 1 << 20;
    float* p0;
    cudaMalloc(&p0, count * sizeof(float));
    cudaMemset(p0, 0, count * sizeof(float));
    float* p1;
    cudaMalloc(&p1, count * sizeof(float));
    cudaMemset(p1, 0, count * sizeof(float));
    float* p2;
    cudaMalloc(&p2, count * sizeof(float));
    cudaMemset(p2, 0, count * sizeof(float));
    conv1d<<<1024, 256>>>(p0, p1, p2, 1 << 18);
    return cudaDeviceSynchronize();
}
