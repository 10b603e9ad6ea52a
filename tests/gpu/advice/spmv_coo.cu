#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void spmv_coo(const int nnz, const int* rows, const int* cols, const float* vals, const float* x, float* y) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < nnz) {
        atomicAdd(&y[rows[i]], vals[i] * x[cols[i]]);
    }
}

int main() {
    const int n = 1 << 15, per_row = 20, nnz = n * per_row;
    std::vector<int> rows(nnz), cols(nnz);
    std::vector<float> vals(nnz), x(n, 1.5f);
    for (int i = 0; i < nnz; i++) {
        rows[i] = i / per_row;
        cols[i] = (int)((i * 2654435761u) % n);
        vals[i] = 0.25f * (i % 5);
    }
    int *drows, *dcols;
    float *dvals, *dx, *dy;
    cudaMalloc(&drows, nnz * sizeof(int));
    cudaMalloc(&dcols, nnz * sizeof(int));
    cudaMalloc(&dvals, nnz * sizeof(float));
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMemcpy(drows, rows.data(), nnz * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dcols, cols.data(), nnz * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dvals, vals.data(), nnz * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(dy, 0, n * sizeof(float));
    spmv_coo<<<(nnz + 255) / 256, 256>>>(nnz, drows, dcols, dvals, dx, dy);
    cudaDeviceSynchronize();
    return 0;
}
