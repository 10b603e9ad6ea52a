// BF16 GEMM with a tile of registers per thread: C = A * B, accumulation in float.
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using bf16 = __nv_bfloat16;

struct CudaDeleter {
    void operator()(void* p) const { cudaFree(p); }
};
template <class T>
using device_ptr = std::unique_ptr<T[], CudaDeleter>;

template <class T>
device_ptr<T> make_device(size_t count) {
    void* p = nullptr;
    if (cudaMalloc(&p, count * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return device_ptr<T>(static_cast<T*>(p));
}

template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM / TM) * (BN / TN))
gemm_kernel(int M, int N, int K, const bf16* A, const bf16* B, float* C) {
    __shared__ bf16 As[BK][BM];
    __shared__ bf16 Bs[BK][BN];
    constexpr int threads = (BM / TM) * (BN / TN);
    const int tx = threadIdx.x % (BN / TN);
    const int ty = threadIdx.x / (BN / TN);
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += threads)
            As[i % BK][i / BK] = A[(row0 + i / BK) * K + k0 + i % BK];
        for (int i = threadIdx.x; i < BN * BK; i += threads)
            Bs[i / BN][i % BN] = B[(k0 + i / BN) * N + col0 + i % BN];
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i) a[i] = __bfloat162float(As[k][ty * TM + i]);
            for (int j = 0; j < TN; ++j) b[j] = __bfloat162float(Bs[k][tx * TN + j]);
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) C[(row0 + ty * TM + i) * N + col0 + tx * TN + j] = acc[i][j];
}

void run_gemm(int M, int N, int K, const bf16* A, const bf16* B, float* C) {
    constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;
    dim3 grid(N / BN, M / BM);
    dim3 block((BM / TM) * (BN / TN));
    gemm_kernel<BM, BN, BK, TM, TN><<<grid, block>>>(M, N, K, A, B, C);
}

int main(int argc, char** argv) {
    int size = 512;
    for (int i = 1; i < argc; ++i)
        if (std::string(argv[i]) == "--size") size = std::stoi(argv[++i]);
    const int M = size, N = size, K = size / 2;

    std::vector<bf16> a(M * K), b(K * N);
    for (int i = 0; i < M; ++i)
        for (int k = 0; k < K; ++k) a[i * K + k] = __float2bfloat16(i == k ? 1.0f : 0.0f);
    for (size_t i = 0; i < b.size(); ++i) b[i] = __float2bfloat16(rand() / (float)RAND_MAX - 0.5f);

    auto dA = make_device<bf16>(a.size());
    auto dB = make_device<bf16>(b.size());
    auto dC = make_device<float>(M * N);
    cudaMemcpy(dA.get(), a.data(), a.size() * sizeof(bf16), cudaMemcpyHostToDevice);
    cudaMemcpy(dB.get(), b.data(), b.size() * sizeof(bf16), cudaMemcpyHostToDevice);
    run_gemm(M, N, K, dA.get(), dB.get(), dC.get());
    std::vector<float> c(M * N);
    cudaMemcpy(c.data(), dC.get(), c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    std::cout << c[0] << " " << float(b[0]) << std::endl;
}
