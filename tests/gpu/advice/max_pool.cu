#include <cuda_runtime.h>
#include <cfloat>
#include <cstdio>
#include <vector>

__global__ void max_pool_forward(const int nthreads, const float* bottom, const int channels, const int height,
                                 const int width, const int pooled_height, const int pooled_width, const int kernel,
                                 const int stride, float* top) {
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < nthreads; index += blockDim.x * gridDim.x) {
        const int pw = index % pooled_width;
        const int ph = (index / pooled_width) % pooled_height;
        const int c = (index / pooled_width / pooled_height) % channels;
        const int n = index / pooled_width / pooled_height / channels;
        const int hstart = ph * stride;
        const int wstart = pw * stride;
        const int hend = min(hstart + kernel, height);
        const int wend = min(wstart + kernel, width);
        float maxval = -FLT_MAX;
        const float* slice = bottom + (n * channels + c) * height * width;
        for (int h = hstart; h < hend; ++h) {
            for (int w = wstart; w < wend; ++w) {
                if (slice[h * width + w] > maxval) {
                    maxval = slice[h * width + w];
                }
            }
        }
        top[index] = maxval;
    }
}

int main() {
    const int num = 8, channels = 32, height = 64, width = 64, kernel = 2, stride = 2;
    const int ph = height / stride, pw = width / stride;
    const int in_count = num * channels * height * width;
    const int out_count = num * channels * ph * pw;
    std::vector<float> h(in_count);
    for (int i = 0; i < in_count; i++) h[i] = (float)((i * 57) % 1009);
    float *bottom, *top;
    cudaMalloc(&bottom, in_count * sizeof(float));
    cudaMalloc(&top, out_count * sizeof(float));
    cudaMemcpy(bottom, h.data(), in_count * sizeof(float), cudaMemcpyHostToDevice);
    max_pool_forward<<<(out_count + 511) / 512, 512>>>(out_count, bottom, channels, height, width, ph, pw, kernel, stride, top);
    cudaDeviceSynchronize();
    return 0;
}
