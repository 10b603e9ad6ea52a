#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <cub/cub.cuh>
#include <iostream>
template <typename T, int BLOCK>
__global__ void block_sum(const T *in, T *out, size_t n) {
  using BlockReduce = cub::BlockReduce<T, BLOCK>;
  __shared__ typename BlockReduce::TempStorage temp;
  size_t i = blockIdx.x * size_t(BLOCK) + threadIdx.x;
  T v = i < n ? in[i] : T(0);
  T s = BlockReduce(temp).Sum(v);
  if (threadIdx.x == 0) out[blockIdx.x] = s;
}
int main() {
  constexpr int BLOCK = 128;
  const size_t n = 100000;
  thrust::device_vector<float> in(n), out((n + BLOCK - 1) / BLOCK);
  thrust::sequence(in.begin(), in.end());
  block_sum<float, BLOCK><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(out.data()), n);
  std::cout << out[0] << std::endl;
}
