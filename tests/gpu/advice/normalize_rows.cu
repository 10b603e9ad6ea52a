#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

// y = (x - mean) / sqrt(var + eps), channels last; one thread per element
__global__ void batchnorm_inference(double* y, const double* x, const float* mean, const float* var, int n, int channels,
                                    float eps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    for (; i < n; i += stride) {
        int c = i % channels;
        y[i] = (x[i] - mean[c]) / sqrtf(var[c] + eps);
    }
}

int main() {
    const int n = 1 << 20, channels = 64;
    std::vector<double> x(n);
    std::vector<float> mean(channels), var(channels);
    for (int i = 0; i < n; i++) x[i] = (i % 301) * 0.01;
    for (int c = 0; c < channels; c++) {
        mean[c] = 0.1f * c;
        var[c] = 1.0f + c;
    }
    double *dx, *dy;
    float *dm, *dv;
    cudaMalloc(&dx, n * sizeof(double));
    cudaMalloc(&dy, n * sizeof(double));
    cudaMalloc(&dm, channels * sizeof(float));
    cudaMalloc(&dv, channels * sizeof(float));
    cudaMemcpy(dx, x.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dm, mean.data(), channels * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dv, var.data(), channels * sizeof(float), cudaMemcpyHostToDevice);
    batchnorm_inference<<<264, 256>>>(dy, dx, dm, dv, n, channels, 1e-5f);
    cudaDeviceSynchronize();
    return 0;
}
