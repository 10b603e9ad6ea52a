#include <cuda_runtime.h>
#include <complex>
#include <vector>
#include <cstdio>

namespace sig {
namespace kernels {

// scales a real signal
__global__ void scale(float* data, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}

// scales a complex signal
__global__ void scale(float2* data, float2 factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 v = data[i];
        data[i] = make_float2(v.x * factor.x - v.y * factor.y, v.x * factor.y + v.y * factor.x);
    }
}

}  // namespace kernels

inline int divUp(int a, int b) { return (a + b - 1) / b; }

void scaleAsync(float* d, float f, int n, cudaStream_t s = 0) { kernels::scale<<<divUp(n, 128), 128, 0, s>>>(d, f, n); }
void scaleAsync(float2* d, float2 f, int n, cudaStream_t s = 0) {
    kernels::scale<<<divUp(n, 256), 256, 0, s>>>(d, f, n);
}

}  // namespace sig

int main() {
    const int n = 48000;
    std::vector<float> real(n);
    std::vector<float2> iq(n);
    for (int i = 0; i < n; ++i) {
        real[i] = 0.001f * i;
        iq[i].x = cosf(0.01f * i);
        iq[i].y = sinf(0.01f * i);
    }
    float* d_real;
    float2* d_iq;
    cudaMalloc(&d_real, n * sizeof(float));
    cudaMalloc(&d_iq, n * sizeof(float2));
    cudaMemcpy(d_real, real.data(), n * sizeof(float), cudaMemcpyDefault);
    cudaMemcpy(d_iq, iq.data(), n * sizeof(float2), cudaMemcpyDefault);
    sig::scaleAsync(d_real, 2.5f, n);
    sig::scaleAsync(d_iq, make_float2(0.0f, 1.0f), n);
    cudaDeviceSynchronize();
    return 0;
}
