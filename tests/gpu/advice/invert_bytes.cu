#include <cuda_runtime.h>
#include <vector>
__global__ void invert(unsigned char *img, int size) {
    int p = threadIdx.x + blockIdx.x * blockDim.x;
    if (p >= size) return;
    img[p] = 255 - img[p];
}
int main() {
    const int size = 1920 * 1080;
    std::vector<unsigned char> h(size, 7);
    unsigned char *d;
    cudaMalloc(&d, size);
    cudaMemcpy(d, h.data(), size, cudaMemcpyHostToDevice);
    int threads = 256;
    int blocks = (size + threads - 1) / threads;
    invert<<<blocks, threads>>>(d, size);
    cudaDeviceSynchronize();
}
