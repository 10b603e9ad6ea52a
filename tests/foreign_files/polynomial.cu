#include <iostream>
#include <algorithm>
#include <array>
#include <cuda_runtime.h>
enum class Op { add, mul };
template <typename T, std::size_t N> struct Coeffs { T c[N]; };
template <typename T, Op OP, std::size_t N> __global__ void poly(const T* __restrict__ x, T* __restrict__ y, Coeffs<T, N> co, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    T acc = co.c[N - 1], v = x[i];
#pragma unroll
    for (int k = int(N) - 2; k >= 0; --k) acc = acc * v + co.c[k];
    if constexpr (OP == Op::add) y[i] += acc; else y[i] *= acc;
  }
}
template <typename T> struct managed_array {
  T* data; std::size_t n;
  managed_array(std::size_t count, T value) : n(count) { cudaMallocManaged(&data, count * sizeof(T)); std::fill(data, data + n, value); }
  ~managed_array() { cudaFree(data); }
  T& operator[](std::size_t i) { return data[i]; }
};
int main() {
  constexpr std::size_t n = 1'000'000;
  managed_array<double> x(n, 0.25), y(n, 1.0);
  for (std::size_t i = 0; i < n; i++) x[i] = double(i) / n;
  Coeffs<double, 4> co{{1.0, -0.5, 0.25, 0.125}};
  int device, sms; cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  poly<double, Op::add, 4><<<32 * sms, 256>>>(x.data, y.data, co, n);
  cudaDeviceSynchronize();
  std::cout << y[0] << std::endl;
}
