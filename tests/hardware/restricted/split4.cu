#include <cuda_runtime.h>
#include <vector>
__global__ void split4(const float* in, float* r, float* g, float* b, int n) {
    for (int k = 0; k < 4; ++k) {
        int i = (blockIdx.x * 4 + k) * blockDim.x + threadIdx.x;
        if (i < n) {
            r[i] = in[3 * i];
            g[i] = in[3 * i + 1];
            b[i] = in[3 * i + 2];
        }
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
    float* p3;
    cudaMalloc(&p3, count * sizeof(float));
    cudaMemset(p3, 0, count * sizeof(float));
    split4<<<256, 256>>>(p0, p1, p2, p3, 1 << 18);
    return cudaDeviceSynchronize();
}
