#include <cuda_runtime.h>
__global__ void spmvlike(const int* a, const float* b, float* c, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int j = 0; j < n; ++j) s += b[a[row * n + j] & 65535];
    c[row] = s;
}

int main() {
    int n = 1 << 20;
    int* a;
    float *b, *c;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    spmvlike<<<128, 128>>>(a, b, c, 16);
    cudaDeviceSynchronize();
}
