#include <cuda_runtime.h>
__global__ void axpy4(const float* a, const float* b, float* c, int n) {
    int i0 = (blockIdx.x * blockDim.x + threadIdx.x) * 1;
    int stride = gridDim.x * blockDim.x;
    for (int i = i0; i < n; i += stride) c[i] = a[i] * 2.0f + b[i];
}

int main() {
    int n = 1 << 20;
    float *a, *b, *c;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    axpy4<<<264, 256>>>(a, b, c, n);
    cudaDeviceSynchronize();
}
