#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

template <int BLOCK>
__global__ void argmax_kernel(const float* scores, int* best, int cols) {
    __shared__ float vals[BLOCK];
    __shared__ int idxs[BLOCK];
    const int tid = threadIdx.x;
    const float* row = scores + (size_t)blockIdx.x * cols;
    float v = -1e30f;
    int id = 0;
    for (int c = tid; c < cols; c += BLOCK) {
        if (row[c] > v) {
            v = row[c];
            id = c;
        }
    }
    vals[tid] = v;
    idxs[tid] = id;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (tid < s && vals[tid + s] > vals[tid]) {
            vals[tid] = vals[tid + s];
            idxs[tid] = idxs[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) best[blockIdx.x] = idxs[0];
}

int main() {
    const int rows = 4096, cols = 1000;
    std::vector<float> h(rows * cols);
    for (int i = 0; i < rows * cols; i++) h[i] = (float)((i * 7919LL) % 100003);
    float* d;
    int* best;
    cudaMalloc(&d, sizeof(float) * rows * cols);
    cudaMalloc(&best, sizeof(int) * rows);
    cudaMemcpy(d, h.data(), sizeof(float) * rows * cols, cudaMemcpyHostToDevice);
    argmax_kernel<256><<<rows, 256>>>(d, best, cols);
    cudaDeviceSynchronize();
    return 0;
}
