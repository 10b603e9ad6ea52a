#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void column_sums(const float* m, float* sums, int rows, int columns) {
    int c = blockIdx.x;
    __shared__ float part[256];
    float sum = 0;
    for (int r = threadIdx.x; r < rows; r += blockDim.x) sum += m[r * columns + c];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (threadIdx.x % (2 * s) == 0) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[c] = part[0];
}
int main() {
    const int rows = 4096, columns = 512;
    std::vector<float> h(rows * columns, 0.25f);
    float *m, *s;
    cudaMalloc(&m, h.size() * 4);
    cudaMalloc(&s, columns * 4);
    cudaMemcpy(m, h.data(), h.size() * 4, cudaMemcpyHostToDevice);
    column_sums<<<columns, 256>>>(m, s, rows, columns);
    cudaDeviceSynchronize();
}
