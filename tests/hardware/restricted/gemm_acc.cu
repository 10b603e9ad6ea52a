#include <cuda_runtime.h>
#include <vector>
__global__ void gemm_acc(const float* a, const float* b, float* c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    c[y * n + x] = 0;
    for (int k = 0; k < n; ++k) c[y * n + x] += a[y * n + k] * b[k * n + x];
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
    gemm_acc<<<dim3(8, 16), dim3(32, 16)>>>(p0, p1, p2, 256);
    return cudaDeviceSynchronize();
}
