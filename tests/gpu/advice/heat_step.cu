#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void heat(float* next, const float* now, int width, int height, float k) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    int i = y * width + x;
    next[i] = now[i] + k * (now[i - 1] + now[i + 1] + now[i - width] + now[i + width] - 4.0 * now[i]);
}
int main() {
    const int width = 2048, height = 1024;
    std::vector<float> h(width * height);
    for (int i = 0; i < width * height; ++i) h[i] = (i % 53) * 0.1f;
    float *a, *b;
    cudaMalloc(&a, h.size() * 4);
    cudaMalloc(&b, h.size() * 4);
    cudaMemcpy(a, h.data(), h.size() * 4, cudaMemcpyHostToDevice);
    dim3 block(8, 8);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    heat<<<grid, block>>>(b, a, width, height, 0.2f);
    cudaDeviceSynchronize();
}
