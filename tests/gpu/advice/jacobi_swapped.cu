#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void jacobi(const float* u, const float* f, float* unew, int N, float h2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;  // row
    int j = blockIdx.y * blockDim.y + threadIdx.y + 1;  // column
    if (i < N - 1 && j < N - 1) {
        unew[i * N + j] =
            0.25 * (u[(i - 1) * N + j] + u[(i + 1) * N + j] + u[i * N + j - 1] + u[i * N + j + 1] - h2 * f[i * N + j]);
    }
}

int main() {
    const int N = 1026;
    std::vector<float> u(N * N), f(N * N, 1.0f);
    for (int i = 0; i < N * N; i++) u[i] = (float)(i % 19);
    float *du, *df, *dn;
    cudaMalloc(&du, N * N * sizeof(float));
    cudaMalloc(&df, N * N * sizeof(float));
    cudaMalloc(&dn, N * N * sizeof(float));
    cudaMemcpy(du, u.data(), N * N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(df, f.data(), N * N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dn, u.data(), N * N * sizeof(float), cudaMemcpyHostToDevice);
    dim3 threads(16, 16);
    dim3 blocks((N - 2) / 16, (N - 2) / 16);
    jacobi<<<blocks, threads>>>(du, df, dn, N, 0.001f);
    cudaDeviceSynchronize();
    return 0;
}
