#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cmath>
__global__ void softmax(float* out, const float* in, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* x = in + row * columns;
    float most = -INFINITY;
    for (int c = 0; c < columns; ++c) most = fmaxf(most, x[c]);
    float sum = 0;
    for (int c = 0; c < columns; ++c) sum += expf(x[c] - most);
    for (int c = 0; c < columns; ++c) out[row * columns + c] = expf(x[c] - most) / sum;
}
int main() {
    const int rows = 8192, columns = 256;
    std::vector<float> h(rows * columns);
    for (size_t i = 0; i < h.size(); ++i) h[i] = (i % 97) * 0.01f;
    float *in, *out;
    cudaMalloc(&in, h.size() * sizeof(float));
    cudaMalloc(&out, h.size() * sizeof(float));
    cudaMemcpy(in, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
    softmax<<<(rows + 255) / 256, 256>>>(out, in, rows, columns);
    cudaDeviceSynchronize();
}
