#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void spmv_ell(int num_rows, int max_nnz, const int* cols, const double* vals, const double* x, double* y) {
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < num_rows) {
        double dot = 0;
        for (int n = 0; n < max_nnz; n++) {
            int col = cols[row * max_nnz + n];
            if (col >= 0) {
                dot += vals[row * max_nnz + n] * x[col];
            }
        }
        y[row] = dot;
    }
}

int main() {
    const int num_rows = 1 << 15, max_nnz = 24;
    std::vector<int> cols(num_rows * max_nnz);
    std::vector<double> vals(num_rows * max_nnz, 0.5), x(num_rows, 1.0);
    for (int r = 0; r < num_rows; r++)
        for (int n = 0; n < max_nnz; n++) cols[r * max_nnz + n] = n < 16 + r % 8 ? (r + n * n * 5) % num_rows : -1;
    int* d_cols;
    double *d_vals, *d_x, *d_y;
    cudaMalloc(&d_cols, cols.size() * sizeof(int));
    cudaMalloc(&d_vals, vals.size() * sizeof(double));
    cudaMalloc(&d_x, num_rows * sizeof(double));
    cudaMalloc(&d_y, num_rows * sizeof(double));
    cudaMemcpy(d_cols, cols.data(), cols.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_vals, vals.data(), vals.size() * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x.data(), num_rows * sizeof(double), cudaMemcpyHostToDevice);
    spmv_ell<<<num_rows / 256, 256>>>(num_rows, max_nnz, d_cols, d_vals, d_x, d_y);
    cudaDeviceSynchronize();
    return 0;
}
