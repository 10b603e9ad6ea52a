#include <cuda_runtime.h>
#include <vector>
// Dot product, float, interleaved.
__global__ void dotp(const float *a, const float *b, float *c, int n) {
    __shared__ float cache[128];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int ci = threadIdx.x;
    float temp = 0;
    while (tid < n) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[ci] = temp;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (ci < i)
            cache[ci] += cache[ci + i];
        __syncthreads();
        i /= 2;
    }
    if (ci == 0) c[blockIdx.x] = cache[0];
}
int main() {
    const int n = 33 * 1024;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; i++) { x[i] = i * 0.37f; y[i] = 1.0f / (i + 1); }
    float *a, *b, *c;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&c, 264 * 4);
    cudaMemcpy(a, x.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(b, y.data(), n * 4, cudaMemcpyHostToDevice);
    dotp<<<264, 128>>>(a, b, c, n);
    cudaDeviceSynchronize();
}
