#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
namespace cg = cooperative_groups;
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true) {
    if (code != cudaSuccess) { fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line); if (abort) exit(code); }
}
template <class T> struct SharedMemory {
    __device__ inline operator T*() { extern __shared__ int __smem[]; return (T*)__smem; }
    __device__ inline operator const T*() const { extern __shared__ int __smem[]; return (T*)__smem; }
};
template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce6(T* g_idata, T* g_odata, unsigned int n) {
    cg::thread_block cta = cg::this_thread_block();
    T* sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + threadIdx.x, gridSize = blockSize * 2 * gridDim.x;
    T mySum = 0;
    while (i < n) { mySum += g_idata[i]; if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize]; i += gridSize; }
    sdata[tid] = mySum;
    cg::sync(cta);
    if ((blockSize >= 512) && (tid < 256)) sdata[tid] = mySum = mySum + sdata[tid + 256];
    cg::sync(cta);
    if ((blockSize >= 256) && (tid < 128)) sdata[tid] = mySum = mySum + sdata[tid + 128];
    cg::sync(cta);
    if ((blockSize >= 128) && (tid < 64)) sdata[tid] = mySum = mySum + sdata[tid + 64];
    cg::sync(cta);
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    if (cta.thread_rank() < 32) {
        if (blockSize >= 64) mySum += sdata[tid + 32];
        for (int offset = tile32.size() / 2; offset > 0; offset /= 2) mySum += tile32.shfl_down(mySum, offset);
    }
    if (cta.thread_rank() == 0) g_odata[blockIdx.x] = mySum;
}
template <class T>
__global__ void gridReduce(const T* in, T* partial, T* out, unsigned int n) {
    cg::grid_group grid = cg::this_grid();
    T s = 0;
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) s += in[i];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    for (int o = 16; o > 0; o >>= 1) s += warp.shfl_xor(s, o);
    if (warp.thread_rank() == 0) partial[grid.thread_rank() / 32] = s;
    grid.sync();
    if (grid.thread_rank() == 0) { T t = 0; for (unsigned w = 0; w < grid.size() / 32; ++w) t += partial[w]; *out = t; }
}
template <class T>
void reduce(int size, int threads, int blocks, T* d_idata, T* d_odata) {
    dim3 dimBlock(threads, 1, 1), dimGrid(blocks, 1, 1);
    int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
    bool pow2 = (size & (size - 1)) == 0;
    switch (threads) {
        case 512: if (pow2) reduce6<T, 512, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); else reduce6<T, 512, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        case 256: if (pow2) reduce6<T, 256, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); else reduce6<T, 256, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        case 64: if (pow2) reduce6<T, 64, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); else reduce6<T, 64, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
    }
}
int main(int argc, char** argv) {
    int n = 100000, threads = 256, blocks = 32;
    int *h = new int[n], *d, *o;
    long long want = 0;
    srand(7);
    for (int i = 0; i < n; ++i) want += h[i] = rand() & 0xff;
    gpuErrchk(cudaMalloc(&d, n * sizeof(int)));
    gpuErrchk(cudaMalloc(&o, 4096 * sizeof(int)));
    gpuErrchk(cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice));
    std::map<std::string, int> results;
    for (int t : {64, 256, 512}) {
        reduce<int>(n, t, blocks, d, o);
        reduce<int>(blocks, 64, 1, o, o + 100);
        gpuErrchk(cudaPeekAtLastError());
        int r; gpuErrchk(cudaMemcpy(&r, o + 100, sizeof(int), cudaMemcpyDeviceToHost));
        results["reduce6 " + std::to_string(t)] = r;
    }
    int *p, *out;
    gpuErrchk(cudaMalloc(&p, 4096 * sizeof(int))); gpuErrchk(cudaMalloc(&out, sizeof(int)));
    cudaDeviceProp prop = {0};
    gpuErrchk(cudaGetDeviceProperties(&prop, 0));
    int perSM = 0;
    gpuErrchk(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSM, gridReduce<int>, threads, 0));
    unsigned un = n;
    void* kernelArgs[] = {(void*)&d, (void*)&p, (void*)&out, (void*)&un};
    auto launchIt = [&](const void* f, int nb) { return cudaLaunchCooperativeKernel(f, dim3(nb), dim3(threads), kernelArgs, 0, NULL); };
    gpuErrchk(launchIt((void*)gridReduce<int>, std::min(32, prop.multiProcessorCount * perSM)));
    gpuErrchk(cudaDeviceSynchronize());
    int r; gpuErrchk(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
    results["grid"] = r;
    void* func = (void*)&reduce6<int, 256, false>;
    void* a2[] = {&d, &o, &un};
    gpuErrchk(cudaLaunchKernel(func, dim3(blocks), dim3(256), a2, 256 * sizeof(int), 0));
    reduce<int>(blocks, 64, 1, o, o + 100);
    gpuErrchk(cudaMemcpy(&r, o + 100, sizeof(int), cudaMemcpyDeviceToHost));
    results["by pointer"] = r;
    bool ok = true;
    for (auto& [k, v] : results) { printf("%-12s %d\n", k.c_str(), v); ok &= v == want; }
    printf("%s\n", ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
