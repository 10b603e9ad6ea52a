#include <cuda_runtime.h>
#include <vector>
__global__ void fdtd(float* ex, float* ey, const float* hz, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y > 0) ey[y * n + x] -= 0.5f * (hz[y * n + x] - hz[(y - 1) * n + x]);
    if (x > 0) ex[y * n + x] -= 0.5f * (hz[y * n + x] - hz[y * n + x - 1]);
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
    fdtd<<<dim3(32, 128), dim3(32, 8)>>>(p0, p1, p2, 1024);
    return cudaDeviceSynchronize();
}
