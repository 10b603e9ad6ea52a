#include <cuda_runtime.h>
#include <vector>
__inline__ __device__ float warpSum(float v) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    return v;
}
__global__ void reduceGood(const float4 *__restrict__ in, float *__restrict__ out, int n4) {
    __shared__ float part[32];
    float v = 0.f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
        float4 a = in[i];
        v += a.x + a.y + a.z + a.w;
    }
    v = warpSum(v);
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    if (lane == 0) part[w] = v;
    __syncthreads();
    if (w == 0) {
        v = lane < blockDim.x / 32 ? part[lane] : 0.f;
        v = warpSum(v);
        if (lane == 0) atomicAdd(out, v);
    }
}
int main() {
    const int n = 1 << 22;
    std::vector<float> h(n, 0.5f);
    float *d, *o;
    cudaMalloc(&d, n * 4);
    cudaMalloc(&o, 4);
    cudaMemset(o, 0, 4);
    cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice);
    reduceGood<<<132 * 4, 256>>>((const float4 *)d, o, n / 4);
    cudaDeviceSynchronize();
}
