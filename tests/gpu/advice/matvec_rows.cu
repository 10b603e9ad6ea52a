#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void matvec(const float* __restrict__ A, const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const float* a = A + (size_t)r * cols;
    float acc = 0.f;
    for (int c = 0; c < cols; c++)
        acc = acc + a[c] * x[c];
    y[r] = acc;
}

int main() {
    const int rows = 8192, cols = 1024;
    std::vector<float> A((size_t)rows * cols), x(cols);
    for (size_t i = 0; i < A.size(); i++) A[i] = (float)(i % 23) * 0.125f;
    for (int i = 0; i < cols; i++) x[i] = 1.0f / (i + 1);
    float *dA, *dx, *dy;
    cudaMalloc(&dA, A.size() * sizeof(float));
    cudaMalloc(&dx, cols * sizeof(float));
    cudaMalloc(&dy, rows * sizeof(float));
    cudaMemcpy(dA, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), cols * sizeof(float), cudaMemcpyHostToDevice);
    int threads = 256;
    matvec<<<(rows + threads - 1) / threads, threads>>>(dA, dx, dy, rows, cols);
    cudaDeviceSynchronize();
    return 0;
}
