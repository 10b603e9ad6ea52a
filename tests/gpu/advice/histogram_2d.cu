#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void hist2d(const float* x, const float* y, unsigned int* bins, int n, int nx, int ny, float xmin, float xmax,
                       float ymin, float ymax) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= n) return;
    int bx = (int)((x[tid] - xmin) / (xmax - xmin) * nx);
    int by = (int)((y[tid] - ymin) / (ymax - ymin) * ny);
    if (bx >= 0 && bx < nx && by >= 0 && by < ny) {
        atomicAdd(&bins[by * nx + bx], 1);
    }
}

int main() {
    const int n = 1 << 20, nx = 32, ny = 32;
    std::vector<float> x(n), y(n);
    srand(1);
    for (int i = 0; i < n; i++) {
        x[i] = (rand() % 1000 + rand() % 1000) / 2000.0f;
        y[i] = (rand() % 1000 + rand() % 1000) / 2000.0f;
    }
    float *dx, *dy;
    unsigned int* bins;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMalloc(&bins, nx * ny * sizeof(unsigned int));
    cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, nx * ny * sizeof(unsigned int));
    hist2d<<<(n + 255) / 256, 256>>>(dx, dy, bins, n, nx, ny, 0.0f, 1.0f, 0.0f, 1.0f);
    cudaDeviceSynchronize();
    return 0;
}
