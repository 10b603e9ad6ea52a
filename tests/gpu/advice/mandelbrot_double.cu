#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void mandelbrot(int* iters, int width, int height, float x0, float y0, float dx, float dy, int max_iter) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= width * height) return;
    int px = idx % width;
    int py = idx / width;
    float cr = x0 + px * dx;
    float ci = y0 + py * dy;
    float zr = 0.0, zi = 0.0;
    int it = 0;
    while (zr * zr + zi * zi < 4.0 && it < max_iter) {
        float t = zr * zr - zi * zi + cr;
        zi = 2.0 * zr * zi + ci;
        zr = t;
        it++;
    }
    iters[idx] = it;
}

int main() {
    const int width = 512, height = 384;
    int* d;
    cudaMalloc(&d, width * height * sizeof(int));
    mandelbrot<<<(width * height + 255) / 256, 256>>>(d, width, height, -2.0f, -1.2f, 3.0f / width, 2.4f / height, 256);
    cudaDeviceSynchronize();
    return 0;
}
