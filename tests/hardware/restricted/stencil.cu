#include <cuda_runtime.h>
__global__ void stencil(const float* a, const float* b, float* c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int z = 1; z < 31; ++z) {
        int i = (z * n + y) * n + x;
        if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
            c[i] = b[0] * a[i] + b[1] * (a[i - 1] + a[i + 1]) + b[2] * (a[i - n] + a[i + n]) +
                   b[3] * (a[i - n * n] + a[i + n * n]);
    }
}

int main() {
    int n = 1 << 20;
    float *a, *b, *c;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    stencil<<<dim3(4, 16), dim3(32, 8)>>>(a, b, c, 128);
    cudaDeviceSynchronize();
}
