#include <cuda_runtime.h>
#include <vector>
__global__ void rope(float* q, const float* c, const float* s, int d) {
    int t = blockIdx.x, i = threadIdx.x;
    for (int h = 0; h < 16; ++h) {
        float* row = q + (t * 16 + h) * 2 * d;
        float a = row[i], b = row[i + d];
        row[i] = a * c[t * d + i] - b * s[t * d + i];
        row[i + d] = a * s[t * d + i] + b * c[t * d + i];
    }
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
    rope<<<256, 64>>>(p0, p1, p2, 64);
    return cudaDeviceSynchronize();
}
