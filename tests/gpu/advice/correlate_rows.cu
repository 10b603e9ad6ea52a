#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
// Each block correlates a row with a filter: the row in shared memory.
__global__ void correlate(const float* rows, const float* taps, float* out, int width, int taps_count) {
    extern __shared__ float row[];
    const float* in = rows + (size_t)blockIdx.x * width;
    for (int i = threadIdx.x; i < width; i += blockDim.x) row[i] = in[i];
    __syncthreads();
    for (int i = threadIdx.x; i < width - taps_count; i += blockDim.x) {
        float sum = 0;
        for (int t = 0; t < taps_count; ++t) sum += row[i + t] * taps[t];
        out[(size_t)blockIdx.x * width + i] = sum;
    }
}
int main() {
    const int width = 4096, count = 512, taps_count = 32;
    std::vector<float> h(width * count), k(taps_count, 0.1f);
    for (auto& x : h) x = rand() / (float)RAND_MAX;
    float *r, *t, *o;
    cudaMalloc(&r, h.size() * 4); cudaMalloc(&t, k.size() * 4); cudaMalloc(&o, h.size() * 4);
    cudaMemcpy(r, h.data(), h.size() * 4, cudaMemcpyHostToDevice); cudaMemcpy(t, k.data(), k.size() * 4, cudaMemcpyHostToDevice);
    correlate<<<count, 256, width * sizeof(float)>>>(r, t, o, width, taps_count);
    cudaMemcpy(h.data(), o, h.size() * 4, cudaMemcpyDeviceToHost);
    printf("%f\n", h[0]);
}
