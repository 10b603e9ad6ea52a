#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void gelu(float* y, const float* x, const float* bias, int n, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i] + bias[i % width];
        y[i] = 0.5 * v * (1.0 + tanh(0.7978845608 * (v + 0.044715 * v * v * v)));
    }
}
int main() {
    const int n = 1 << 21, width = 1024;
    std::vector<float> h(n), b(width, 0.1f);
    for (int i = 0; i < n; ++i) h[i] = (i % 200 - 100) * 0.02f;
    float *x, *y, *bias;
    cudaMalloc(&x, n * 4);
    cudaMalloc(&y, n * 4);
    cudaMalloc(&bias, width * 4);
    cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(bias, b.data(), width * 4, cudaMemcpyHostToDevice);
    gelu<<<(n + 511) / 512, 512>>>(y, x, bias, n, width);
    cudaDeviceSynchronize();
}
