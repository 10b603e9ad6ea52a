// RMS norm of a transformer, one block per row, as in many public repositories.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)

__global__ void rms_norm(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, int hidden, float eps) {
    extern __shared__ float partial[];
    const float* row = x + blockIdx.x * hidden;
    float sum = 0.f;
    for (int i = threadIdx.x; i < hidden; i += blockDim.x) sum += row[i] * row[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    float scale = rsqrtf(partial[0] / hidden + eps);
    for (int i = threadIdx.x; i < hidden; i += blockDim.x) y[blockIdx.x * hidden + i] = row[i] * scale * w[i];
}

int main(int argc, char** argv) {
    int rows = argc > 1 ? atoi(argv[1]) : 512, hidden = 2048;
    std::vector<float> x(rows * hidden), w(hidden, 1.0f);
    for (auto& v : x) v = rand() / (float)RAND_MAX - 0.5f;
    float *dx, *dw, *dy;
    CHECK(cudaMalloc(&dx, x.size() * sizeof(float)));
    CHECK(cudaMalloc(&dw, w.size() * sizeof(float)));
    CHECK(cudaMalloc(&dy, x.size() * sizeof(float)));
    CHECK(cudaMemcpy(dx, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dw, w.data(), w.size() * sizeof(float), cudaMemcpyHostToDevice));
    rms_norm<<<rows, 256, 256 * sizeof(float)>>>(dx, dw, dy, hidden, 1e-6f);
    CHECK(cudaDeviceSynchronize());
}
