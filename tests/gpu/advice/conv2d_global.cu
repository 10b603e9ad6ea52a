#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#define FILTER_RADIUS 2

__global__ void conv2d(float* in, float* filter, float* out, int width, int height) {
    int outCol = blockIdx.x * blockDim.x + threadIdx.x;
    int outRow = blockIdx.y * blockDim.y + threadIdx.y;
    if (outCol >= width || outRow >= height) return;
    float acc = 0.0f;
    for (int fRow = 0; fRow < 2 * FILTER_RADIUS + 1; fRow++) {
        for (int fCol = 0; fCol < 2 * FILTER_RADIUS + 1; fCol++) {
            int inRow = outRow - FILTER_RADIUS + fRow;
            int inCol = outCol - FILTER_RADIUS + fCol;
            if (inRow >= 0 && inRow < height && inCol >= 0 && inCol < width) {
                acc += filter[fRow * (2 * FILTER_RADIUS + 1) + fCol] * in[inRow * width + inCol];
            }
        }
    }
    out[outRow * width + outCol] = acc;
}

int main() {
    const int width = 1024, height = 1024;
    std::vector<float> image(width * height), filter(25, 0.04f);
    for (int i = 0; i < width * height; i++) image[i] = (float)((i * 31) % 255);
    float *d_in, *d_filter, *d_out;
    cudaMalloc((void**)&d_in, width * height * sizeof(float));
    cudaMalloc((void**)&d_filter, 25 * sizeof(float));
    cudaMalloc((void**)&d_out, width * height * sizeof(float));
    cudaMemcpy(d_in, image.data(), width * height * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_filter, filter.data(), 25 * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(16, 16);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    conv2d<<<grid, block>>>(d_in, d_filter, d_out, width, height);
    cudaDeviceSynchronize();
    return 0;
}
