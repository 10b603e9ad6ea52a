#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void transpose(float* out, const float* in, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) out[x * n + y] = in[y * n + x];
}
int main() {
    const int n = 2048;
    std::vector<float> h(n * n);
    for (int i = 0; i < n * n; ++i) h[i] = i % 1000;
    float *in, *out;
    cudaMalloc(&in, n * n * sizeof(float));
    cudaMalloc(&out, n * n * sizeof(float));
    cudaMemcpy(in, h.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(32, 32), grid((n + 31) / 32, (n + 31) / 32);
    transpose<<<grid, block>>>(out, in, n);
    cudaDeviceSynchronize();
}
