#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
namespace sim {
namespace {
__global__ void advect(float* __restrict__ dst, const float* __restrict__ src, const float2* vel, int nx, int ny, float dt) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += blockDim.x * gridDim.x) {
    int x = i % nx, y = i / nx; float2 v = vel[i];
    int sx = min(max(int(x - dt * v.x), 0), nx - 1), sy = min(max(int(y - dt * v.y), 0), ny - 1);
    dst[i] = src[sy * nx + sx];
  }
}
__global__ void divergence(float* d, const float2* vel, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  d[y * nx + x] = 0.5f * (vel[y * nx + x + 1].x - vel[y * nx + x - 1].x + vel[(y + 1) * nx + x].y - vel[(y - 1) * nx + x].y);
}
}
inline void check(cudaError_t e, const char* what) { if (e != cudaSuccess) throw std::runtime_error(std::string(what) + cudaGetErrorString(e)); }
template <typename T> class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t n) : n_(n) { check(cudaMalloc(&p_, n * sizeof(T)), "malloc"); }
  ~DeviceBuffer() { cudaFree(p_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  T* get() { return p_; } const T* get() const { return p_; } std::size_t size() const { return n_; }
  void upload(const std::vector<T>& h) { check(cudaMemcpy(p_, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice), "copy"); }
 private: T* p_ = nullptr; std::size_t n_;
};
class Fluid {
 public:
  struct Config { int nx = 256; int ny = 128; float dt = 0.1f; };
  explicit Fluid(const Config& c) : config_(c), density_(cells()), next_(cells()), div_(cells()), velocity_(cells()) {
    std::vector<float> d(cells()); std::vector<float2> v(cells());
    for (int y = 0; y < c.ny; ++y) for (int x = 0; x < c.nx; ++x) { d[y * c.nx + x] = float(x); v[y * c.nx + x] = make_float2(0.25f * y, -1.0f); }
    density_.upload(d); velocity_.upload(v);
  }
  void step() {
    const int threads = 192;
    const int blocks = std::min<int>(1024, (cells() + threads - 1) / threads);
    advect<<<blocks, threads, 0, stream_>>>(next_.get(), density_.get(), velocity_.get(), config_.nx, config_.ny, config_.dt);
    const dim3 b{32, 8}; const dim3 g{unsigned(config_.nx + b.x - 1) / b.x, unsigned(config_.ny + b.y - 1) / b.y};
    divergence<<<g, b, 0, stream_>>>(div_.get(), velocity_.get(), config_.nx, config_.ny);
  }
 private:
  std::size_t cells() const { return std::size_t(config_.nx) * config_.ny; }
  Config config_; cudaStream_t stream_ = nullptr;
  DeviceBuffer<float> density_, next_, div_; DeviceBuffer<float2> velocity_;
};
}
int main() {
  sim::Fluid::Config cfg; cfg.nx = 320;
  auto fluid = std::make_unique<sim::Fluid>(cfg);
  for (int i = 0; i < 100; ++i) fluid->step();
}
