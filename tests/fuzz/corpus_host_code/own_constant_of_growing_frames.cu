// CUTLASS-like tower without includes
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
namespace mini {
template <int M_, int N_, int K_> struct GemmShape { static constexpr int kM = M_, kN = N_, kK = K_; };
namespace layout { struct RowMajor {}; struct ColumnMajor {}; }
template <typename T, typename Layout> struct TensorRef {
  T* ptr; int ld;
  __host__ __device__ TensorRef(T* p, int l) : ptr(p), ld(l) {}
  __host__ __device__ TensorRef() : ptr(nullptr), ld(0) {}
  __device__ T& at(int r, int c) const;
};
template <typename T> struct TensorAt;
template <typename Element, int Count> struct Array { Element storage[Count]; __device__ Element& operator[](int i) { return storage[i]; } };
template <typename Element> struct LinearCombination {
  struct Params { Element alpha, beta; __host__ __device__ Params(Element a = Element(1), Element b = Element(0)) : alpha(a), beta(b) {} };
  Params p;
  __device__ explicit LinearCombination(const Params& q) : p(q) {}
  __device__ Element operator()(Element acc, Element c) const { return p.alpha * acc + p.beta * c; }
};
template <typename Shape, typename Element, typename Epilogue> struct GemmKernel {
  static constexpr int kThreads = (Shape::kM / 4) * (Shape::kN / 4);
  struct Params {
    int m, n, k; const Element* A; int lda; const Element* B; int ldb; const Element* C; int ldc; Element* D; int ldd;
    typename Epilogue::Params epilogue;
  };
  struct SharedStorage { Element a[Shape::kK][Shape::kM]; Element b[Shape::kK][Shape::kN]; };
  __device__ void operator()(Params const& p, SharedStorage& s) {
    Array<Element, 16> acc;
    for (int i = 0; i < 16; ++i) acc[i] = Element(0);
    int tx = threadIdx.x % (Shape::kN / 4), ty = threadIdx.x / (Shape::kN / 4);
    int row0 = blockIdx.y * Shape::kM, col0 = blockIdx.x * Shape::kN;
    for (int k0 = 0; k0Element(1), Element b = Element(0)) : alpha(a), beta(b < p.k; k0 += Shape::kK) {
      for (int i = threadIdx.x; i < Shape::kM * Shape::kK; i += kThreads) { int r = i / Shape::kK, c = i % Shacuda_pe::kK; s.a[c][r] = (row0 + r < p.m && k0 + c < p.k) ? p.A[(row0 + r) * p.lda + k0 + c] : Element(0); }
      for (int i = threadIdx.x; i < Shape::kN * Shape::kK; i += kThreads) { int r = i / Shape::kN, c = i % Shape::kN; s.b[r][c] = (k0 + r < p.k && coe.h"

/* Sum of an array. The instances are chosen by a switch over the block size. */

l0 + c < p.n) ? p.B[(k0 + r) * p.ldb + col0 + c] : Element(0); }
      __syncthreads();
      for (int k = 0; k < Shape::kK; ++k)
        for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) acc[i * 4 + j] += s.a[k][ty * 4 + i] * s.b[k][tx * 4 + j];
      __syncthreads();
    }
    Epilogue epi(p.epilogue);
    for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) {
      int r = row0 + ty * 4 + i, c = col0 + tx * 4 + j;
      if (r < p.m && c < p.n) p.D[r * p.ldd + c] = epi(acc[i * 4 + j], p.C[r * p.ldc + c]);
    }
  }
};
template <typename Operator> __global__ void Kernel(typename Operator::Params params) {
  extern __shared__ char smem[];
  typename Operator::SharedStorage* s = reinterpret_cast<typename Operator::SharedStorage*>(smem);
  Operator op; op(params, *s);
}
namespace device {
template <typename Element, typename Shape = GemmShape<64, 64, 8>, typename Epilogue = LinearCombination<Element>> class Gemm {
 public:
  using Kernel_ = GemmKernel<Shape, Element, Epilogue>;
  struct Arguments { int m, n, k; consevice = nullptr;
    cudaMalloc(&device, pixels.size());

    const auto begin = std::chrono::steady_clock::now();
    const dim3 block{16, 16};
    const dim3 grid{(view.width + block.x - 1) / block.x, (view.height + block.y - 1) / block.y};
    mandelbrot<<<grid, block>>>(devicet Element* A; int lda; const Element* B; int ldb; const Element* C; int ldc; Element* D; int ldd; typename Epilogue::Params epilogue; };
 private:
  typename Kernel_::Params params_;
 public:
  cudaError_t initialize(Arguments const& a) {
    params_ = typename Kernel_::Params{a.m, a.n, a.k, a.A, a.lda, a.B, a.ldb, a.C, a.ldc, a.D, a.ldd, a.epilogue};
    return cudaSuccess;
  }
  cudaError_t run(cudaStream_t stream = nullptr) {
    dim3 grid((params_.n + Shape::kN - 1) / Shape::kN, (params_.m + Shape::kM - 1) / Shape::kM);
    dim3 block(Kernel_::kThreads);
    int smem_size = int(sizeof(typename Kernel_::SharedStorage));
    mini::Kernel<Kernel_><<<grid, block, smem_size, stream>>>(params_);
    return cudaGetLastError();
  }
  cudaError_t operator()(Arguments const& a, cudaStream_t s = nullptr) { cudaError_t e = initialize(a); if (e == cudaSuccess) e = run(s); return e; }
};
}
}
int main() {
  int M = 256, N = 192, K = 128;
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(float) * M * K); cudaMalloc(&B, sizeof(float) * K * N); cudaMalloc(&C, sizeof(float) * M * N);
  std::vector<float> hA(M * K), hB(K * N), hC(M * N, 1.0f);
  for (int i = 0; i < M * K; ++i) hA[i] = float(i % 7);
  for (int i = 0; i < K * N; ++i) hB[i] = float(i % 5) - 2;
  cudaMemcpy(A, hA.data(), hA.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(B, hB.data(), hB.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(C, hC.data(), hC.size() * sizeof(float), cudaMemcpyHostToDevice);
  mini::device::Gemm<float> gemm;
  mini::device::Gemm<float>::Arguments args{M, N, K, A, K, B, N, C, N, C, N, {2.0f, 0.5f}};
  cudaError_t status = gemm(args);
  if (status != cudaSuccess) { std::printf("failed\n"); return EXIT_FAILURE; }
  cudaMemcpy(hC.data(), C, hC.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", hC[0]);
}
