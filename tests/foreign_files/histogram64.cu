#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

namespace {

constexpr int kBins = 64;
constexpr int kThreads = 192;

#define CUDA_OK(call)                                                        \
  do {                                                                       \
    cudaError_t status_ = (call);                                            \
    if (status_ != cudaSuccess) {                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                \
                   cudaGetErrorString(status_));                             \
      std::abort();                                                          \
    }                                                                        \
  } while (0)

__global__ void histogram(const unsigned char* data, size_t count, unsigned int* bins) {
  __shared__ unsigned int local[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(blockDim.x) * gridDim.x)
    atomicAdd(&local[data[i] >> 2], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

void reference(const unsigned char* data, size_t count, unsigned int* bins) {
  std::memset(bins, 0, kBins * sizeof(unsigned int));
  for (size_t i = 0; i < count; ++i) ++bins[data[i] >> 2];
}

}  // namespace

int main() {
  const size_t count = 1u << 20;
  unsigned char* host = static_cast<unsigned char*>(std::malloc(count));
  unsigned int expected[kBins], got[kBins];
  std::srand(2009);
  for (size_t i = 0; i < count; ++i) host[i] = std::rand() % 256;

  unsigned char* data = nullptr;
  unsigned int* bins = nullptr;
  CUDA_OK(cudaMalloc(&data, count));
  CUDA_OK(cudaMalloc(&bins, sizeof(got)));
  CUDA_OK(cudaMemcpy(data, host, count, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemset(bins, 0, sizeof(got)));
  histogram<<<32, kThreads>>>(data, count, bins);
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaMemcpy(got, bins, sizeof(got), cudaMemcpyDeviceToHost));
  reference(host, count, expected);
  for (int b = 0; b < kBins; ++b)
    if (got[b] != expected[b]) return 1;
  return 0;
}
