#include <cuda_runtime.h>
__global__ void gemv(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= 4096) return;
    c[row] = 0;
    for (int j = 0; j < n; ++j) c[row] += a[j * 4096 + row] * b[j];
}

int main() {
    int n = 1 << 20;
    float *a, *b, *c;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    gemv<<<32, 128>>>(a, b, c, 256);
    cudaDeviceSynchronize();
}
