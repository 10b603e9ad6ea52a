#include <cuda_runtime.h>
#include <vector>
#include <cfloat>
// One block per row, three passes over the row.
__global__ void softmax_rows(const float *in, float *out, int cols) {
    __shared__ float red[256];
    const float *row = in + blockIdx.x * cols;
    float *dst = out + blockIdx.x * cols;
    int t = threadIdx.x;
    float m = -FLT_MAX;
    for (int c = t; c < cols; c += blockDim.x) m = fmaxf(m, row[c]);
    red[t] = m;
    __syncthreads();
    for (int k = 128; k >= 1; k /= 2) {
        if (t < k) red[t] = fmaxf(red[t], red[t + k]);
        __syncthreads();
    }
    m = red[0];
    __syncthreads();
    float s = 0;
    for (int c = t; c < cols; c += blockDim.x) s += expf(row[c] - m);
    red[t] = s;
    __syncthreads();
    for (int k = 128; k >= 1; k /= 2) {
        if (t < k) red[t] += red[t + k];
        __syncthreads();
    }
    s = red[0];
    for (int c = t; c < cols; c += blockDim.x) dst[c] = expf(row[c] - m) / s;
}
int main() {
    const int rows = 2048, cols = 1024;
    std::vector<float> a(rows * cols);
    for (int i = 0; i < rows * cols; i++) a[i] = (i * 37 % 101) * 0.05f;
    float *d, *o;
    cudaMalloc(&d, rows * cols * 4);
    cudaMalloc(&o, rows * cols * 4);
    cudaMemcpy(d, a.data(), rows * cols * 4, cudaMemcpyHostToDevice);
    softmax_rows<<<rows, 256>>>(d, o, cols);
    cudaDeviceSynchronize();
}
