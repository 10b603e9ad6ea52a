#include <cuda_runtime.h>
#include <cstdlib>
#define NUM_BINS 256
__global__ void histo_kernel(const unsigned char *buffer, long size, unsigned int *histo) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int stride = blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd(&histo[buffer[i]], 1);
        i += stride;
    }
}
int main() {
    const long size = 1 << 20;
    unsigned char *h = (unsigned char *)malloc(size);
    srand(7);
    for (long i = 0; i < size; i++) h[i] = rand() & 255;
    unsigned char *d;
    unsigned int *dh;
    cudaMalloc((void **)&d, size);
    cudaMemcpy(d, h, size, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&dh, NUM_BINS * sizeof(int));
    cudaMemset(dh, 0, NUM_BINS * sizeof(int));
    histo_kernel<<<264, 256>>>(d, size, dh);
    cudaDeviceSynchronize();
}
