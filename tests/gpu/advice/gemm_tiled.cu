#include <cuda_runtime.h>
#include <vector>
#define T 32
__global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N) {
    __shared__ float As[T][T], Bs[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float acc = 0;
    for (int k = 0; k < N; k += T) {
        As[threadIdx.y][threadIdx.x] = A[row * N + k + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * N + col];
        __syncthreads();
        for (int j = 0; j < T; j++) acc += As[threadIdx.y][j] * Bs[j][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = acc;
}
int main() {
    const int N = 512;
    std::vector<float> a(N * N), b(N * N);
    for (int i = 0; i < N * N; i++) { a[i] = (i % 11) * 0.1f; b[i] = (i % 7) * 0.2f; }
    float *A, *B, *C;
    cudaMalloc(&A, N * N * 4); cudaMalloc(&B, N * N * 4); cudaMalloc(&C, N * N * 4);
    cudaMemcpy(A, a.data(), N * N * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(B, b.data(), N * N * 4, cudaMemcpyHostToDevice);
    matmul<<<dim3(N / T, N / T), dim3(T, T)>>>(A, B, C, N);
    cudaDeviceSynchronize();
}
