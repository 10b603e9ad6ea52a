#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void spmv(int rows, const int* begin, const int* columns, const float* values, const float* x, float* y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int k = begin[row]; k < begin[row + 1]; k++) sum += values[k] * x[columns[k]];
        y[row] = sum;
    }
}
int main() {
    const int rows = 1 << 16, each = 16;
    std::vector<int> begin(rows + 1), columns(rows * each);
    std::vector<float> values(rows * each, 1.0f), x(rows, 2.0f);
    for (int r = 0; r <= rows; ++r) begin[r] = r * each;
    for (int k = 0; k < rows * each; ++k) columns[k] = (k * 31) % rows;
    int *db, *dc;
    float *dv, *dx, *dy;
    cudaMalloc(&db, begin.size() * 4);
    cudaMalloc(&dc, columns.size() * 4);
    cudaMalloc(&dv, values.size() * 4);
    cudaMalloc(&dx, x.size() * 4);
    cudaMalloc(&dy, rows * 4);
    cudaMemcpy(db, begin.data(), begin.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, columns.data(), columns.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, values.data(), values.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), x.size() * 4, cudaMemcpyHostToDevice);
    spmv<<<rows / 256, 256>>>(rows, db, dc, dv, dx, dy);
    cudaDeviceSynchronize();
}
