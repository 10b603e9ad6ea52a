#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void transpose(float* odata, const float* idata, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        odata[x * height + y] = idata[y * width + x];
    }
}

int main() {
    const int width = 2048, height = 1024;
    std::vector<float> h(width * height);
    for (int i = 0; i < width * height; i++) h[i] = (float)i;
    float *in, *out;
    cudaMalloc(&in, width * height * sizeof(float));
    cudaMalloc(&out, width * height * sizeof(float));
    cudaMemcpy(in, h.data(), width * height * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(32, 8);
    dim3 grid((width + 31) / 32, (height + 7) / 8);
    transpose<<<grid, block>>>(out, in, width, height);
    cudaDeviceSynchronize();
    return 0;
}
