__global__ void spmv(const int* rowPtr, const int* col, const float* val, const float* x, float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float s = 0.f;
  for (int j = rowPtr[row]; j < rowPtr[row + 1]; ++j) s += val[j] * x[col[j]];
  y[row] = s;
}
int degree(int r) { return 1 + r % 7; }
int main() {
  const int rows = 16384;
  int* rowPtr = (int*)malloc((rows + 1) * sizeof(int));
  rowPtr[0] = 0;
  for (int i = 0; i < rows; ++i) rowPtr[i + 1] = rowPtr[i] + degree(i);
  const int nnz = rowPtr[rows];
  int* col = (int*)malloc(nnz * sizeof(int));
  float* val = (float*)malloc(nnz * sizeof(float));
  for (int j = 0; j < nnz; ++j) { col[j] = (j * 13) % rows; val[j] = 1.0f; }
  float* x = (float*)malloc(rows * sizeof(float));
  for (int i = 0; i < rows; ++i) x[i] = i * 0.5f;
  int *dr, *dc; float *dv, *dx, *dy;
  cudaMalloc(&dr, (rows + 1) * sizeof(int)); cudaMalloc(&dc, nnz * sizeof(int)); cudaMalloc(&dv, nnz * sizeof(float));
  cudaMalloc(&dx, rows * sizeof(float)); cudaMalloc(&dy, rows * sizeof(float));
  cudaMemcpy(dr, rowPtr, (rows + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dc, col, nnz * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dv, val, nnz * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dx, x, rows * sizeof(float), cudaMemcpyHostToDevice);
  spmv<<<(rows + 255) / 256, 256>>>(dr, dc, dv, dx, dy, rows);
  cudaDeviceSynchronize();
}
__global__ void spmv(int n, const int* ptr, const int* idx, const double* a, const double* x, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double s = 0;
    for (int k = ptr[i]; k < ptr[i + 1]; k++) s += a[k] * x[idx[k]];
    y[i] = s;
  }
}
int main() {
  const int n = 4096;
  std::vector<int> ptr, idx;
  std::vector<double> a;
  int total = 0;
  for (int i = 0; i < n; i++) {
    ptr.push_back(total);
    for (int k = 0; k < 4; k++) {
      idx.push_back((i + k * 64) % n);
      a.push_back(1.0 / (k + 1));
      total++;
    }
  }
  ptr.push_back(total);
  std::vector<double> x(n, 1.0);
  int *dp, *di; double *da, *dx, *dy;
  cudaMalloc(&dp, ptr.size() * sizeof(int));
  cudaMalloc(&di, idx.size() * sizeof(int));
  cudaMalloc(&da, a.size() * sizeof(double));
  cudaMalloc(&dx, n * sizeof(double));
  cudaMalloc(&dy, n * sizeof(double));
  cudaMemcpy(dp, ptr.data(), ptr.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(di, idx.data(), idx.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(da, a.data(), a.size() * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(dx, x.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  spmv<<<(n + 127) / 128, 128>>>(n, dp, di, da, dx, dy);
  cudaDeviceSynchronize();
}
