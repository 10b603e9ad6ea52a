#include <cuda_runtime.h>
#include <vector>
__global__ void spmv_csr(const int* rows, const int* cols, const float* val, const float* x, float* y,
                         int n) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) {
        y[r] = 0;
        for (int k = rows[r]; k < rows[r + 1]; ++k) y[r] += val[k] * x[cols[k]];
    }
}

int main() {
    const int count = 1 << 20;
    float* p0;
    cudaMalloc(&p0, count * sizeof(float));
    cudaMemset(p0, 0, count * sizeof(float));
    float* p1;
    cudaMalloc(&p1, count * sizeof(float));
    cudaMemset(p1, 0, count * sizeof(float));
    float* p2;
    cudaMalloc(&p2, count * sizeof(float));
    cudaMemset(p2, 0, count * sizeof(float));
    std::vector<int> hq0(count / 4 + 1);
    for (int i = 0; i <= count / 4; ++i) hq0[i] = i * 16;
    int* q0;
    cudaMalloc(&q0, (count / 4 + 1) * sizeof(int));
    cudaMemcpy(q0, hq0.data(), (count / 4 + 1) * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<int> hq1(count / 4 + 1);
    for (int i = 0; i <= count / 4; ++i) hq1[i] = (i * 7919) % 16384;
    int* q1;
    cudaMalloc(&q1, (count / 4 + 1) * sizeof(int));
    cudaMemcpy(q1, hq1.data(), (count / 4 + 1) * sizeof(int), cudaMemcpyHostToDevice);
    spmv_csr<<<128, 128>>>(q0, q1, p0, p1, p2, 16384);
    return cudaDeviceSynchronize();
}
