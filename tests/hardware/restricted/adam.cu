#include <cuda_runtime.h>
#include <vector>
__global__ void adam(float* w, const float* g, float* m, float* v, int n, float lr) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        m[i] = 0.9f * m[i] + 0.1f * g[i];
        v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
        w[i] -= lr * m[i] / (sqrtf(v[i]) + 1e-8f);
    }
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
    float* p3;
    cudaMalloc(&p3, count * sizeof(float));
    cudaMemset(p3, 0, count * sizeof(float));
    adam<<<256, 256>>>(p0, p1, p2, p3, 1 << 19, 0.001f);
    return cudaDeviceSynchronize();
}
