#include <cuda_runtime.h>
#include <vector>
__global__ void scale_rows(float* x, const float* s, int n) {
    for (int c = threadIdx.x; c < n; c += blockDim.x) x[blockIdx.x * n + c] *= s[blockIdx.x];
}

int main() {
    const int count = 1 << 20;
    float* p0;
    cudaMalloc(&p0, count * sizeof(float));
    cudaMemset(p0, 0, count * sizeof(float));
    float* p1;
    cudaMalloc(&p1, count * sizeof(float));
    cudaMemset(p1, 0, count * sizeof(float));
    scale_rows<<<512, 128>>>(p0, p1, 1024);
    return cudaDeviceSynchronize();
}
