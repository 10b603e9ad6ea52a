#include <cassert>
#include <cstdio>
#include <memory>
#include <cuda_runtime.h>

namespace conv {

constexpr int kRadius = 4;
constexpr int kLength = 2 * kRadius + 1;

struct Launch {
  static constexpr int tile_x = 16;
  static constexpr int tile_y = 16;
  void print() const { std::printf("%d x %d\n", tile_x, tile_y); }
};

__constant__ float kernel_weights[kLength];

template <typename T, bool Horizontal>
__global__ void pass(T* __restrict__ out, const T* __restrict__ in, int w, int h) {
  const int x = blockIdx.x * Launch::tile_x + threadIdx.x;
  const int y = blockIdx.y * Launch::tile_y + threadIdx.y;
  if (x >= w || y >= h) return;
  T sum = T(0);
#pragma unroll
  for (int k = -kRadius; k <= kRadius; ++k) {
    const int sx = Horizontal ? min(max(x + k, 0), w - 1) : x;
    const int sy = Horizontal ? y : min(max(y + k, 0), h - 1);
    sum += in[sy * w + sx] * kernel_weights[k + kRadius];
  }
  out[y * w + x] = sum;
}

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }
  ~DeviceArray() { cudaFree(data_); }
  T* get() { return data_; }
  size_t bytes() const { return count_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  size_t count_;
};

void run(const float* image, float* result, int w, int h) {
  DeviceArray<float> in(static_cast<size_t>(w) * h), middle(size_t(w) * h), out(size_t(w) * h);
  cudaMemcpy(in.get(), image, in.bytes(), cudaMemcpyHostToDevice);
  const dim3 threads(Launch::tile_x, Launch::tile_y);
  const dim3 blocks((w + threads.x - 1) / threads.x, (h + threads.y - 1) / threads.y);
  pass<float, true><<<blocks, threads>>>(middle.get(), in.get(), w, h);
  pass<float, false><<<blocks, threads>>>(out.get(), middle.get(), w, h);
  cudaMemcpy(result, out.get(), out.bytes(), cudaMemcpyDeviceToHost);
}

}  // namespace conv

int main() {
  const int w = 320, h = 200;
  auto image = std::make_unique<float[]>(w * h);
  auto result = std::make_unique<float[]>(w * h);
  for (int i = 0; i < w * h; ++i) image[i] = static_cast<float>(i % 17);
  float weights[conv::kLength];
  for (float& weight : weights) weight = 1.0f / conv::kLength;
  cudaMemcpyToSymbol(conv::kernel_weights, weights, sizeof(weights));
  conv::run(image.get(), result.get(), w, h);
  return 0;
}
