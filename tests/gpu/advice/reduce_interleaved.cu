#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define THREADS 512
__global__ void reduce_interleaved(int *g_in, int *g_out) {
    extern __shared__ int sdata[];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[t] = g_in[i];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0) {
            sdata[t] += sdata[t + s];
        }
        __syncthreads();
    }
    if (t == 0) g_out[blockIdx.x] = sdata[0];
}
int main() {
    int n = 1 << 20;
    size_t bytes = n * sizeof(int);
    int *h = (int *)malloc(bytes);
    for (int i = 0; i < n; ++i) h[i] = i & 255;
    int *d_in, *d_out;
    cudaMalloc((void **)&d_in, bytes);
    cudaMalloc((void **)&d_out, n / THREADS * sizeof(int));
    cudaMemcpy(d_in, h, bytes, cudaMemcpyHostToDevice);
    reduce_interleaved<<<n / THREADS, THREADS, THREADS * sizeof(int)>>>(d_in, d_out);
    cudaDeviceSynchronize();
    free(h);
}
