#include <stdio.h>
#include <stdlib.h>
#include "cuda_runtime.h"

/* Sum of an array. The instances are chosen by a switch over the block size. */

typedef unsigned int uint;

template <class T>
struct SharedMemory {
    __device__ inline operator T *() {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
    __device__ inline operator const T *() const {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};

bool isPow2(uint x) { return ((x & (x - 1)) == 0); }

template <class T, uint blockSize, bool nIsPow2>
__global__ void reduce6(T *g_idata, T *g_odata, uint n) {
    T *sdata = SharedMemory<T>();
    uint tid = threadIdx.x;
    uint i = blockIdx.x * blockSize * 2 + threadIdx.x;
    uint gridSize = blockSize * 2 * gridDim.x;
    T mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();
    for (uint s = blockSize / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

template <class T>
void reduce(int size, int threads, int blocks, T *d_idata, T *d_odata) {
    dim3 dimBlock(threads, 1, 1);
    dim3 dimGrid(blocks, 1, 1);
    int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
    if (isPow2(size)) {
        switch (threads) {
            case 512:
                reduce6<T, 512, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
            case 256:
                reduce6<T, 256, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
            case 128:
                reduce6<T, 128, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
        }
    } else {
        switch (threads) {
            case 512:
                reduce6<T, 512, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
            case 256:
                reduce6<T, 256, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
                break;
        }
    }
}

void getNumBlocksAndThreads(int n, int maxBlocks, int maxThreads, int &blocks, int &threads) {
    threads = (n < maxThreads * 2) ? 256 : maxThreads;
    blocks = (n + (threads * 2 - 1)) / (threads * 2);
    blocks = blocks < maxBlocks ? blocks : maxBlocks;
}

template <class T>
bool runTest(int argc, char **argv) {
    int size = 1 << 20;
    int maxThreads = 256;
    int maxBlocks = 64;
    uint bytes = size * sizeof(T);
    T *h_idata = (T *)malloc(bytes);
    for (int i = 0; i < size; i++) {
        h_idata[i] = (T)(rand() & 0xFF);
    }
    int numBlocks = 0;
    int numThreads = 0;
    getNumBlocksAndThreads(size, maxBlocks, maxThreads, numBlocks, numThreads);
    T *h_odata = (T *)malloc(numBlocks * sizeof(T));
    T *d_idata = NULL;
    T *d_odata = NULL;
    cudaMalloc((void **)&d_idata, bytes);
    cudaMalloc((void **)&d_odata, numBlocks * sizeof(T));
    cudaMemcpy(d_idata, h_idata, bytes, cudaMemcpyHostToDevice);
    reduce<T>(size, numThreads, numBlocks, d_idata, d_odata);
    cudaMemcpy(h_odata, d_odata, numBlocks * sizeof(T), cudaMemcpyDeviceToHost);
    return true;
}

int main(int argc, char **argv) {
    bool ok = runTest<int>(argc, argv);
    printf("%s\n", ok ? "PASSED" : "FAILED");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
