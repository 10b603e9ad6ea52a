#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#define K 8

__global__ void topk_per_row(const float* data, float* out, int rows, int cols, int k) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float best[K];
    for (int i = 0; i < k; i++) best[i] = -1e30f;
    for (int c = 0; c < cols; c++) {
        float v = data[r * cols + c];
        int pos = k - 1;
        if (v <= best[pos]) continue;
        while (pos > 0 && best[pos - 1] < v) {
            best[pos] = best[pos - 1];
            pos--;
        }
        best[pos] = v;
    }
    for (int i = 0; i < k; i++) out[r * k + i] = best[i];
}

int main() {
    const int rows = 8192, cols = 256;
    std::vector<float> h(rows * cols);
    for (int i = 0; i < rows * cols; i++) h[i] = (float)((i * 2654435761u) >> 12);
    float *d, *o;
    cudaMalloc(&d, rows * cols * sizeof(float));
    cudaMalloc(&o, rows * K * sizeof(float));
    cudaMemcpy(d, h.data(), rows * cols * sizeof(float), cudaMemcpyHostToDevice);
    topk_per_row<<<rows / 64, 64>>>(d, o, rows, cols, K);
    cudaDeviceSynchronize();
    return 0;
}
