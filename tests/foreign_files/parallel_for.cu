#include <cuda_runtime.h>
#include <cstdio>
#include <utility>
template <class F, class... A> __global__ void launch_global(F f, std::size_t n, A... a) {
  std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x;
  if (i < n) f(i, a...);
}
struct Axpy { double a; const double* x; double* y; __device__ void operator()(std::size_t i) const { y[i] += a * x[i]; } };
struct RangePolicy { std::size_t begin, end; int block; };
template <class Functor> void parallel_for(const RangePolicy& p, Functor f) {
  std::size_t n = p.end - p.begin;
  launch_global<<<(n + p.block - 1) / p.block, p.block>>>(f, n);
}
int main() {
  std::size_t n = 50000; double *x, *y;
  cudaMalloc(&x, n * sizeof(double)); cudaMalloc(&y, n * sizeof(double));
  double* h = new double[n]; for (std::size_t i = 0; i < n; ++i) h[i] = 1.0 / (i + 1);
  cudaMemcpy(x, h, n * sizeof(double), cudaMemcpyHostToDevice); cudaMemset(y, 0, n * sizeof(double));
  parallel_for(RangePolicy{0, n, 128}, Axpy{3.0, x, y});
  double shift = 4.0;
  parallel_for({0, n, 256}, [=] __device__(std::size_t i) { y[i] = x[n - 1 - i] + shift; });
  cudaDeviceSynchronize();
}
