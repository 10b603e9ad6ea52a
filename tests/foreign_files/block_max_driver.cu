// Kernels are compiled to PTX at build time and loaded with the driver API.
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define DRV(x) do { CUresult r = (x); if (r != CUDA_SUCCESS) { const char* s; cuGetErrorString(r, &s); fprintf(stderr, "%s\n", s); exit(1); } } while (0)

extern "C" __global__ void block_max(const int* in, int* out, int n) {
    extern __shared__ int sm[];
    int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    int a = i < n ? in[i] : -2147483647;
    int b = i + blockDim.x < n ? in[i + blockDim.x] : -2147483647;
    sm[threadIdx.x] = max(a, b);
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) sm[threadIdx.x] = max(sm[threadIdx.x], sm[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sm[0];
}

int main() {
    const int n = 1 << 17;
    const unsigned block = 512;
    const unsigned grid = (n + block * 2 - 1) / (block * 2);
    std::vector<int> host(n);
    for (int i = 0; i < n; ++i) host[i] = (i * 1103515245 + 12345) & 0x7fff;

    CUdevice dev;
    CUcontext ctx;
    CUmodule mod;
    CUfunction fn;
    DRV(cuInit(0));
    DRV(cuDeviceGet(&dev, 0));
    DRV(cuCtxCreate(&ctx, 0, dev));
    DRV(cuModuleLoad(&mod, "block_max.ptx"));
    DRV(cuModuleGetFunction(&fn, mod, "block_max"));

    CUdeviceptr d_in, d_out;
    DRV(cuMemAlloc(&d_in, n * sizeof(int)));
    DRV(cuMemAlloc(&d_out, grid * sizeof(int)));
    DRV(cuMemcpyHtoD(d_in, host.data(), n * sizeof(int)));
    int count = n;
    void* params[] = {&d_in, &d_out, &count};
    DRV(cuLaunchKernel(fn, grid, 1, 1, block, 1, 1, block * sizeof(int), 0, params, nullptr));
    DRV(cuCtxSynchronize());
    std::vector<int> result(grid);
    DRV(cuMemcpyDtoH(result.data(), d_out, grid * sizeof(int)));
    cuMemFree(d_in);
    cuMemFree(d_out);
    return 0;
}
