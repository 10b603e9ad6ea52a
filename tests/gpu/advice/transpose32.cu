#include <cuda_runtime.h>
#include <vector>
__global__ void transpose(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
int main() {
    const int w = 1024, h = 2048;
    std::vector<float> a(w * h);
    for (int i = 0; i < w * h; i++) a[i] = i * 0.001f;
    float *d, *o;
    cudaMalloc(&d, w * h * sizeof(float));
    cudaMalloc(&o, w * h * sizeof(float));
    cudaMemcpy(d, a.data(), w * h * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(32, 32), grid(w / 32, h / 32);
    transpose<<<grid, block>>>(d, o, w, h);
    cudaDeviceSynchronize();
}
