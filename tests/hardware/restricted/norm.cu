#include <cuda_runtime.h>
__global__ void norm(const float* a, const float* b, float* c, int n) {
    __shared__ float red[256];
    const float* row = a + blockIdx.x * n;
    float s = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x) s += row[j];
    red[threadIdx.x] = s;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) red[threadIdx.x] += red[threadIdx.x + d];
        __syncthreads();
    }
    float m = red[0] / n;
    for (int j = threadIdx.x; j < n; j += blockDim.x) c[blockIdx.x * n + j] = (row[j] - m) * b[j];
}

int main() {
    int n = 1 << 20;
    float *a, *b, *c;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    norm<<<256, 256>>>(a, b, c, 4096);
    cudaDeviceSynchronize();
}
