// Homework 3: 2-D heat equation with Jacobi iterations.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <utility>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                              \
    do {                                                                              \
        cudaError_t err__ = (call);                                                   \
        if (err__ != cudaSuccess) {                                                   \
            fprintf(stderr, "CUDA error %s at %s:%d\n", cudaGetErrorString(err__),    \
                    __FILE__, __LINE__);                                              \
            exit(EXIT_FAILURE);                                                       \
        }                                                                             \
    } while (0)

#define BX 16
#define BY 16

__device__ float d_maxDiff;
__device__ unsigned int d_updates = 0;

__device__ static float atomicMaxFloat(float* addr, float v) {
    int old = atomicMax((int*)addr, __float_as_int(v));
    return __int_as_float(old);
}

__global__ void initGrid(float* u, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    u[y * w + x] = (y == 0) ? 100.0f : 0.0f;
}

__global__ void jacobi(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
    __shared__ float diff[BX * BY];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    float d = 0.0f;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
        float v = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
        d = fabsf(v - in[y * w + x]);
        out[y * w + x] = v;
    } else if (x < w && y < h) {
        out[y * w + x] = in[y * w + x];
    }
    diff[t] = d;
    __syncthreads();
    for (int s = BX * BY / 2; s > 0; s >>= 1) {
        if (t < s) diff[t] = fmaxf(diff[t], diff[t + s]);
        __syncthreads();
    }
    if (t == 0) {
        atomicMaxFloat(&d_maxDiff, diff[0]);
        atomicAdd(&d_updates, 1u);
    }
}

int main(int argc, char** argv) {
    int n = (argc > 1) ? atoi(argv[1]) : 128;
    int maxIter = (argc > 2) ? atoi(argv[2]) : 40;
    float tol = 0.5f;
    float *d_a, *d_b;
    size_t bytes = (size_t)n * n * sizeof(float);
    CUDA_CHECK(cudaMalloc(&d_a, bytes));
    CUDA_CHECK(cudaMalloc((void**)&d_b, bytes));
    dim3 block(BX, BY), grid((n + BX - 1) / BX, (n + BY - 1) / BY);
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    initGrid<<<grid, block>>>(d_a, n, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(start));
    int iter = 0;
    float diff = 1e30f;
    while (iter < maxIter && diff > tol) {
        float zero = 0.0f;
        CUDA_CHECK(cudaMemcpyToSymbol(d_maxDiff, &zero, sizeof(float)));
        jacobi<<<grid, block>>>(d_a, d_b, n, n);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpyFromSymbol(&diff, d_maxDiff, sizeof(float)));
        std::swap(d_a, d_b);
        ++iter;
    }
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    unsigned int updates = 0;
    CUDA_CHECK(cudaMemcpyFromSymbol(&updates, d_updates, sizeof updates));
    std::vector<float> h(n * n);
    CUDA_CHECK(cudaMemcpy(h.data(), d_a, bytes, cudaMemcpyDeviceToHost));
    // reference
    std::vector<float> a(n * n, 0.0f), b;
    for (int x = 0; x < n; ++x) a[x] = 100.0f;
    b = a;
    float rd = 1e30f; int ri = 0;
    while (ri < maxIter && rd > tol) {
        rd = 0;
        for (int y = 1; y < n - 1; ++y)
            for (int x = 1; x < n - 1; ++x) {
                float v = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]);
                rd = fmaxf(rd, fabsf(v - a[y * n + x]));
                b[y * n + x] = v;
            }
        std::swap(a, b); ++ri;
    }
    double err = 0;
    for (int i = 0; i < n * n; ++i) err = fmax(err, fabs(a[i] - h[i]));
    printf("iterations %d (reference %d), diff %g, block updates %u (expected %u), max error %g: %s\n", iter, ri, diff,
           updates, iter * grid.x * grid.y, err,
           (iter == ri && err < 1e-4 && updates == iter * grid.x * grid.y) ? "PASSED" : "FAILED");
    CUDA_CHECK(cudaFree(d_a)); CUDA_CHECK(cudaFree(d_b));
    return (iter == ri && err < 1e-4) ? 0 : 1;
}
