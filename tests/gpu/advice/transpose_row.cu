#include <cuda_runtime.h>
#include <vector>
#define TILE 32
// Loads along columns.
__global__ void transposeCols(float *odata, const float *idata, int width, int height) {
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row >= width || col >= height) return;
    int src = col * width + row;
    int dst = row * height + col;
    odata[dst] = idata[src];
}
int main() {
    const int w = 2048, h = 1024;
    std::vector<float> a(w * h);
    for (int i = 0; i < w * h; i++) a[i] = i % 1000;
    float *d, *o;
    cudaMalloc(&d, w * h * sizeof(float));
    cudaMalloc(&o, w * h * sizeof(float));
    cudaMemcpy(d, a.data(), w * h * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(TILE, TILE), grid(h / TILE, w / TILE);
    transposeCols<<<grid, block>>>(o, d, w, h);
    cudaDeviceSynchronize();
}
