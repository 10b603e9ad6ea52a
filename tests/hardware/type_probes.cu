// Atomics of many lanes at one address by type, and loads of one warp that step through cold memory.
#include <cstdio>
#include <cuda_runtime.h>
#define RED(NAME, TYPE, PTX, C) __global__ void NAME(TYPE* p, int words, int lanes) { \
    if (threadIdx.x % 32 >= lanes) return; \
    TYPE* at = p + (blockIdx.x * blockDim.x + threadIdx.x) % words; \
    asm volatile("red.global.add." PTX " [%0], %1;" ::"l"(at), C((TYPE)1) : "memory"); }
RED(red_u32, unsigned, "u32", "r")
RED(red_f32, float, "f32", "f")
RED(red_f64, double, "f64", "d")
RED(red_u64, unsigned long long, "u64", "l")
__global__ void atom_f32(float* p, float* out, int words) {
    float v; float* at = p + (blockIdx.x * blockDim.x + threadIdx.x) % words;
    asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(v) : "l"(at), "f"(1.f) : "memory");
    if (v < 0) *out = v;
}
__global__ void atom_u32(unsigned* p, unsigned* out, int words) {
    unsigned v; unsigned* at = p + (blockIdx.x * blockDim.x + threadIdx.x) % words;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(v) : "l"(at), "r"(1u) : "memory");
    if (v == ~0u) *out = v;
}
// One warp of each block reads the same word in all lanes, STEP bytes on each time; clocks per place in 128 bytes.
__global__ void walk(const char* p, int step, int count, long long* cycles, int* sum) {
    int s = 0;
    for (int i = 0; i < count; ++i) {
        long long a = clock64();
        int v; asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p + (size_t)i * step));
        s += v;
        asm volatile("" :: "r"(s) : "memory");
        long long b = clock64() + (s == 12345 ? 1 : 0);
        if (threadIdx.x == 0) cycles[(size_t)blockIdx.x * 4 + (size_t)i * step % 128 / 32] += b - a;
    }
    if (s == 1) *sum = s;
}
int main() {
    void* p; cudaMalloc(&p, 1 << 26); cudaMemset(p, 0, 1 << 26);
    long long* c; cudaMalloc(&c, 132 * 4 * 8); int* sum; cudaMalloc(&sum, 4);
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    float ms;
    for (int lanes : {1, 2, 4, 8, 16, 32}) for (int words : {1, 2, 8, 32, 1024}) for (int n : {1 << 18, 1 << 20}) {
        if (lanes < 32 && words > 1) continue;
        auto time = [&](const char* name, auto launch) {
            launch(); cudaEventRecord(a); launch(); cudaEventRecord(b); cudaDeviceSynchronize(); cudaEventElapsedTime(&ms, a, b);
            printf("%s,%d,%d,%d,%.0f\n", name, words, lanes, n / 32, ms * 1e6);
        };
        time("red_u32", [&] { red_u32<<<n / 256, 256>>>((unsigned*)p, words, lanes); });
        time("red_f32", [&] { red_f32<<<n / 256, 256>>>((float*)p, words, lanes); });
        time("red_u64", [&] { red_u64<<<n / 256, 256>>>((unsigned long long*)p, words, lanes); });
        time("red_f64", [&] { red_f64<<<n / 256, 256>>>((double*)p, words, lanes); });
        time("atom_u32", [&] { atom_u32<<<n / 256, 256>>>((unsigned*)p, (unsigned*)sum, words); });
        time("atom_f32", [&] { atom_f32<<<n / 256, 256>>>((float*)p, (float*)sum, words); });
    }
    char* flush; cudaMalloc(&flush, 256 << 20);
    cudaMemset(p, 0, 1 << 26);
    for (int blocks : {1, 32, 132}) for (int step : {4, 28, 32, 64, 128}) for (int again = 0; again < 2; ++again) {
        cudaMemset(flush, again, 256 << 20); cudaMemset(c, 0, 132 * 4 * 8);
        walk<<<blocks, 32>>>((const char*)p + (1 << 20) * (again + 1), step, 2048, c, sum);
        long long h[132 * 4]; cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
        long long s[4] = {}; for (int i = 0; i < blocks; ++i) for (int k = 0; k < 4; ++k) s[k] += h[i * 4 + k];
        long long t = s[0] + s[1] + s[2] + s[3];
        printf("walk,%d blocks,step %d,mean %.1f,by place %.1f %.1f %.1f %.1f (sums per block / loads)\n", blocks, step, t / (double)blocks / 2048,
               s[0] / (double)blocks / 2048, s[1] / (double)blocks / 2048, s[2] / (double)blocks / 2048, s[3] / (double)blocks / 2048);
    }
    return 0;
}
