#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void resize_bilinear(const unsigned char* src, unsigned char* dst, int sw, int sh, int dw, int dh) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dw || y >= dh) return;
    float fx = (x + 0.5) * sw / dw - 0.5;
    float fy = (y + 0.5) * sh / dh - 0.5;
    int x0 = max((int)floorf(fx), 0), y0 = max((int)floorf(fy), 0);
    int x1 = min(x0 + 1, sw - 1), y1 = min(y0 + 1, sh - 1);
    float ax = fx - x0, ay = fy - y0;
    for (int c = 0; c < 3; c++) {
        float top = (1.0 - ax) * src[(y0 * sw + x0) * 3 + c] + ax * src[(y0 * sw + x1) * 3 + c];
        float bottom = (1.0 - ax) * src[(y1 * sw + x0) * 3 + c] + ax * src[(y1 * sw + x1) * 3 + c];
        dst[(y * dw + x) * 3 + c] = (unsigned char)((1.0 - ay) * top + ay * bottom + 0.5);
    }
}

int main() {
    const int sw = 640, sh = 480, dw = 1024, dh = 768;
    std::vector<unsigned char> h(sw * sh * 3);
    for (size_t i = 0; i < h.size(); i++) h[i] = (unsigned char)((i * 7) % 251);
    unsigned char *src, *dst;
    cudaMalloc(&src, sw * sh * 3);
    cudaMalloc(&dst, dw * dh * 3);
    cudaMemcpy(src, h.data(), h.size(), cudaMemcpyHostToDevice);
    dim3 block(16, 16);
    dim3 grid((dw + 15) / 16, (dh + 15) / 16);
    resize_bilinear<<<grid, block>>>(src, dst, sw, sh, dw, dh);
    cudaDeviceSynchronize();
    return 0;
}
