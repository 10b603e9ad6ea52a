#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void scan(float* out, const float* in, int n) {
    extern __shared__ float temp[];
    int t = threadIdx.x, base = blockIdx.x * n;
    int pout = 0, pin = 1;
    temp[t] = in[base + t];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (t >= offset) temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - offset];
        else temp[pout * n + t] = temp[pin * n + t];
        __syncthreads();
    }
    out[base + t] = temp[pout * n + t];
}
int main() {
    const int n = 512, blocks = 1024;
    std::vector<float> h(n * blocks, 1.0f);
    float *in, *out;
    cudaMalloc(&in, h.size() * 4);
    cudaMalloc(&out, h.size() * 4);
    cudaMemcpy(in, h.data(), h.size() * 4, cudaMemcpyHostToDevice);
    scan<<<blocks, n, 2 * n * sizeof(float)>>>(out, in, n);
    cudaDeviceSynchronize();
}
