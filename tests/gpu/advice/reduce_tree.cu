#include <cstdio>
#include <cuda_runtime.h>
// Sum of a vector, one block adds 256 elements.
__global__ void sumBlocks(const float *in, float *out, int n) {
    __shared__ float buf[256];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    buf[tid] = (i < n) ? in[i] : 0.0f;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            buf[tid] += buf[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = buf[0];
}
int main() {
    const int n = 1 << 20;
    float *h = new float[n];
    for (int i = 0; i < n; i++) h[i] = (i % 17) * 0.25f;
    float *d, *o;
    cudaMalloc(&d, n * sizeof(float));
    cudaMalloc(&o, (n / 256) * sizeof(float));
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    sumBlocks<<<n / 256, 256>>>(d, o, n);
    cudaDeviceSynchronize();
    return 0;
}
