#include <cuda_runtime.h>
#include <vector>
#include <cstdlib>
__global__ void spmv_csr(int rows, const int *ptr, const int *col, const float *val, const float *x, float *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float dot = 0;
        int start = ptr[row];
        int end = ptr[row + 1];
        for (int j = start; j < end; j++) dot += val[j] * x[col[j]];
        y[row] = dot;
    }
}
int main() {
    const int rows = 32768, per = 32;
    std::vector<int> ptr(rows + 1), col(rows * per);
    std::vector<float> val(rows * per), x(rows);
    for (int r = 0; r <= rows; r++) ptr[r] = r * per;
    srand(5);
    for (int i = 0; i < rows * per; i++) { col[i] = rand() % rows; val[i] = (i % 7) * 0.5f; }
    for (int i = 0; i < rows; i++) x[i] = i % 13;
    int *dp, *dc; float *dv, *dx, *dy;
    cudaMalloc(&dp, (rows + 1) * 4); cudaMalloc(&dc, rows * per * 4); cudaMalloc(&dv, rows * per * 4);
    cudaMalloc(&dx, rows * 4); cudaMalloc(&dy, rows * 4);
    cudaMemcpy(dp, ptr.data(), (rows + 1) * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, col.data(), rows * per * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, val.data(), rows * per * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), rows * 4, cudaMemcpyHostToDevice);
    spmv_csr<<<(rows + 127) / 128, 128>>>(rows, dp, dc, dv, dx, dy);
    cudaDeviceSynchronize();
}
