#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void assign(const float* points, const float* centers, int* label, int n, int k, int dims) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int best = 0;
    float nearest = 1e30f;
    for (int c = 0; c < k; ++c) {
        float d = 0;
        for (int j = 0; j < dims; ++j) {
            float t = points[i * dims + j] - centers[c * dims + j];
            d += t * t;
        }
        if (d < nearest) { nearest = d; best = c; }
    }
    label[i] = best;
}
int main() {
    const int n = 1 << 17, k = 16, dims = 8;
    std::vector<float> p(n * dims), c(k * dims);
    for (auto& v : p) v = rand() / (float)RAND_MAX;
    for (auto& v : c) v = rand() / (float)RAND_MAX;
    float *dp, *dc;
    int* dl;
    cudaMalloc(&dp, p.size() * 4);
    cudaMalloc(&dc, c.size() * 4);
    cudaMalloc(&dl, n * 4);
    cudaMemcpy(dp, p.data(), p.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c.data(), c.size() * 4, cudaMemcpyHostToDevice);
    assign<<<(n + 255) / 256, 256>>>(dp, dc, dl, n, k, dims);
    cudaDeviceSynchronize();
}
