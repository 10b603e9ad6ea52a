#include <cuda_runtime.h>
#include <cstdlib>
#define BINS 128
__global__ void histShared(const int *__restrict__ in, int n, int *__restrict__ out) {
    __shared__ int local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[in[i] % BINS], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&out[b], local[b]);
}
int main() {
    const int n = 1 << 20;
    int *h = (int *)malloc(n * sizeof(int));
    srand(3);
    for (int i = 0; i < n; i++) h[i] = rand() % 1000;
    int *d, *o;
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&o, BINS * sizeof(int));
    cudaMemset(o, 0, BINS * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    histShared<<<264, 256>>>(d, n, o);
    cudaDeviceSynchronize();
}
