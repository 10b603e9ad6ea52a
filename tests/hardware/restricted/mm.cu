#include <cuda_runtime.h>
__global__ void mm(const float* a, const float* b, float* c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float s = 0;
    for (int j = 0; j < n; ++j) s += a[y * n + j] * b[j * n + x];
    c[y * n + x] = s;
}

int main() {
    int n = 1 << 20;
    float *a, *b, *c;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    mm<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c, 256);
    cudaDeviceSynchronize();
}
