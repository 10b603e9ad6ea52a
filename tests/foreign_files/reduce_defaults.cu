#include <cuda_runtime.h>
#include <cstddef>
#include <type_traits>
namespace mythrust { namespace detail {
template <typename T> struct plus { __host__ __device__ T operator()(const T& a, const T& b) const { return a + b; } };
template <typename T> struct maximum { __host__ __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; } };
template <unsigned BLOCK, unsigned ITEMS, typename T, typename Op>
__global__ void __launch_bounds__(BLOCK) reduce_kernel(const T* first, std::size_t n, T init, Op op, T* out) {
  __shared__ T partial[BLOCK];
  T acc = init;
  for (std::size_t i = blockIdx.x * BLOCK * ITEMS + threadIdx.x; i < n && i < (blockIdx.x + 1) * BLOCK * ITEMS; i += BLOCK) acc = op(acc, first[i]);
  partial[threadIdx.x] = acc;
  __syncthreads();
#pragma unroll
  for (unsigned s = BLOCK / 2; s > 0; s >>= 1) { if (threadIdx.x < s) partial[threadIdx.x] = op(partial[threadIdx.x], partial[threadIdx.x + s]); __syncthreads(); }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
}
template <typename T, typename Op = detail::plus<T>>
void reduce(const T* d_in, std::size_t n, T* d_out, T init = T{}, Op op = Op{}) {
  constexpr unsigned BLOCK = 128, ITEMS = 7;
  const unsigned blocks = static_cast<unsigned>((n + BLOCK * ITEMS - 1) / (BLOCK * ITEMS));
  detail::reduce_kernel<BLOCK, ITEMS><<<blocks, BLOCK>>>(d_in, n, init, op, d_out);
}
}
int main() {
  std::size_t n = 100000;
  int* in; int* out;
  cudaMalloc(&in, n * sizeof(int)); cudaMalloc(&out, 1024 * sizeof(int));
  int* h = new int[n];
  for (std::size_t i = 0; i < n; ++i) h[i] = static_cast<int>(i % 17);
  cudaMemcpy(in, h, n * sizeof(int), cudaMemcpyHostToDevice);
  mythrust::reduce(in, n, out);
  mythrust::reduce(in, n, out, -1, mythrust::detail::maximum<int>{});
  delete[] h;
}
