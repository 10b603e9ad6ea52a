#include <cuda_runtime.h>
#include <vector>
__global__ void hillis_steele(const int *in, int *out, int n) {
    __shared__ int temp[2][256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    int pout = 0, pin = 1;
    temp[pout][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int off = 1; off < 256; off *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (t >= off) temp[pout][t] = temp[pin][t] + temp[pin][t - off];
        else temp[pout][t] = temp[pin][t];
        __syncthreads();
    }
    if (i < n) out[i] = temp[pout][t];
}
int main() {
    const int n = 1 << 19;
    std::vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = i % 5;
    int *d, *o;
    cudaMalloc(&d, n * 4);
    cudaMalloc(&o, n * 4);
    cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice);
    hillis_steele<<<n / 256, 256>>>(d, o, n);
    cudaDeviceSynchronize();
}
