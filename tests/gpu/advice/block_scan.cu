#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#define BLOCK_SIZE 512

// Kogge-Stone inclusive scan per block
__global__ void scan_kernel(const float* X, float* Y, float* partial, unsigned int N) {
    __shared__ float XY[BLOCK_SIZE];
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        XY[threadIdx.x] = X[i];
    } else {
        XY[threadIdx.x] = 0.0f;
    }
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        float temp;
        if (threadIdx.x >= stride) {
            temp = XY[threadIdx.x] + XY[threadIdx.x - stride];
        }
        __syncthreads();
        if (threadIdx.x >= stride) {
            XY[threadIdx.x] = temp;
        }
    }
    if (i < N) {
        Y[i] = XY[threadIdx.x];
    }
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) {
        partial[blockIdx.x] = XY[threadIdx.x];
    }
}

int main() {
    const unsigned int N = 1 << 20;
    std::vector<float> x(N);
    for (unsigned int i = 0; i < N; i++) x[i] = (float)(i % 7);
    float *dX, *dY, *dP;
    cudaMalloc(&dX, N * sizeof(float));
    cudaMalloc(&dY, N * sizeof(float));
    cudaMalloc(&dP, N / BLOCK_SIZE * sizeof(float));
    cudaMemcpy(dX, x.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    scan_kernel<<<N / BLOCK_SIZE, BLOCK_SIZE>>>(dX, dY, dP, N);
    cudaDeviceSynchronize();
    return 0;
}
