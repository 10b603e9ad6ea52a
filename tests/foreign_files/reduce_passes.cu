// Sum with a template per block size and passes until one value is left.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <cuda_runtime.h>

template <unsigned int blockSize>
__device__ void warpReduce(volatile int *sdata, unsigned int tid)
{
    if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
    if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
    if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
    if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
    if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
    if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}

template <unsigned int blockSize>
__global__ void reduceKernel(const int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += g_idata[i];
        if (i + blockSize < n) sdata[tid] += g_idata[i + blockSize];
        i += gridSize;
    }
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) { sdata[tid] += sdata[tid + 256]; } __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } __syncthreads(); }
    if (tid < 32) warpReduce<blockSize>(sdata, tid);
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

void reduce(const int *in, int *out, unsigned int n, int threads, int blocks)
{
    int smem = threads <= 32 ? 2 * threads * sizeof(int) : threads * sizeof(int);
    switch (threads) {
    case 512: reduceKernel<512><<<blocks, threads, smem>>>(in, out, n); break;
    case 256: reduceKernel<256><<<blocks, threads, smem>>>(in, out, n); break;
    case 128: reduceKernel<128><<<blocks, threads, smem>>>(in, out, n); break;
    case 64: reduceKernel<64><<<blocks, threads, smem>>>(in, out, n); break;
    }
}

int main(int argc, char **argv)
{
    unsigned int n = 1 << 20;
    int threads = 256;
    if (argc > 1) n = strtoul(argv[1], NULL, 10);
    if (argc > 2) threads = atoi(argv[2]);

    int *h = (int *)malloc(n * sizeof(int));
    for (unsigned int i = 0; i < n; ++i) h[i] = (int)(i & 0xFF);

    int *d_a, *d_b;
    unsigned int blocks = (n + threads * 2 - 1) / (threads * 2);
    cudaMalloc(&d_a, n * sizeof(int));
    cudaMalloc(&d_b, blocks * sizeof(int));
    cudaMemcpy(d_a, h, n * sizeof(int), cudaMemcpyHostToDevice);

    unsigned int s = n;
    while (s > 1) {
        blocks = (s + threads * 2 - 1) / (threads * 2);
        reduce(d_a, d_b, s, threads, blocks);
        std::swap(d_a, d_b);
        s = blocks;
    }
    int sum;
    cudaMemcpy(&sum, d_a, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", sum);
    return 0;
}
