#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
__global__ void gemm(const float *const *A, const float *const *B, float **C, int n) {
  const float *a = A[blockIdx.x], *b = B[blockIdx.x];
  float *c = C[blockIdx.x];
  int i = threadIdx.y, j = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
  c[i * n + j] = s;
}
int main() {
  const int n = 16, batch = 12;
  std::vector<float *> hA(batch), hB(batch), hC(batch);
  std::vector<float> h(n * n);
  for (int b = 0; b < batch; b++) {
    cudaMalloc(&hA[b], n * n * 4); cudaMalloc(&hB[b], n * n * 4);
    for (int i = 0; i < n * n; i++) h[i] = (i + b) % 7;
    cudaMemcpy(hA[b], h.data(), n * n * 4, cudaMemcpyHostToDevice);
    for (int i = 0; i < n * n; i++) h[i] = (i % (n + 1) == 0) ? b : 0;
    cudaMemcpy(hB[b], h.data(), n * n * 4, cudaMemcpyHostToDevice);
  }
  float *pool; cudaMalloc(&pool, batch * n * n * 4);
  for (int b = 0; b < batch; b++) hC[b] = pool + b * n * n;
  float **dA, **dB, **dC;
  cudaMalloc(&dA, batch * sizeof(float *)); cudaMalloc(&dB, batch * sizeof(float *)); cudaMalloc(&dC, batch * sizeof(float *));
  cudaMemcpy(dA, hA.data(), batch * sizeof(float *), cudaMemcpyHostToDevice);
  cudaMemcpy(dB, hB.data(), batch * sizeof(float *), cudaMemcpyHostToDevice);
  cudaMemcpy(dC, hC.data(), batch * sizeof(float *), cudaMemcpyHostToDevice);
  gemm<<<batch, dim3(n, n)>>>(dA, dB, dC, n);
  std::vector<float> r(batch * n * n);
  cudaMemcpy(r.data(), pool, r.size() * 4, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int b = 0; b < batch; b++) for (int i = 0; i < n * n; i++) bad += r[b * n * n + i] != ((i + b) % 7) * b;
  printf("%d wrong\n", bad);
  return bad != 0;
}
