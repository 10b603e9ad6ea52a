#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <vector>
#include <getopt.h>
#define cudaCheck(e) do { cudaError_t _e = (e); if (_e != cudaSuccess) { std::printf("%s failed: %s\n", #e, cudaGetErrorName(_e)); std::exit(1); } } while (0)

struct __align__(16) SimParams { float dt; float softening; int n; float G; };
__constant__ SimParams params;
__device__ float4 g_scratch[4096];
__device__ double g_energy;
__device__ int g_tableReady = 0;

__global__ void setup(curandState* st, unsigned long long seed, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) curand_init(seed, i, 0, &st[i]);
}
__global__ void randomBodies(curandState* st, float4* pos, float4* vel, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    curandState s = st[i];
    pos[i] = make_float4(curand_uniform(&s) - 0.5f, curand_uniform(&s) - 0.5f, curand_uniform(&s) - 0.5f, 1.0f / n);
    vel[i] = make_float4(0, 0, 0, 0);
    st[i] = s;
}
__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai) {
    float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
    float d2 = r.x * r.x + r.y * r.y + r.z * r.z + params.softening;
    float inv = rsqrtf(d2 * d2 * d2) * bj.w * params.G;
    ai.x += r.x * inv; ai.y += r.y * inv; ai.z += r.z * inv;
    return ai;
}
__global__ void forces(const float4* __restrict__ pos, float4* acc) {
    extern __shared__ float4 sh[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = pos[min(i, params.n - 1)];
    float3 a = {0, 0, 0};
    for (int tile = 0; tile < params.n; tile += blockDim.x) {
        sh[threadIdx.x] = pos[min(tile + (int)threadIdx.x, params.n - 1)];
        __syncthreads();
        for (int k = 0; k < blockDim.x && tile + k < params.n; ++k) a = bodyBodyInteraction(me, sh[k], a);
        __syncthreads();
    }
    if (i < params.n) acc[i] = make_float4(a.x, a.y, a.z, 0);
}
__global__ void integrate(float4* pos, float4* vel, const float4* acc) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= params.n) return;
    float4 v = vel[i], p = pos[i];
    v.x += acc[i].x * params.dt; v.y += acc[i].y * params.dt; v.z += acc[i].z * params.dt;
    p.x += v.x * params.dt; p.y += v.y * params.dt; p.z += v.z * params.dt;
    pos[i] = p; vel[i] = v; g_scratch[i] = v;
}
__global__ void kinetic(int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double e = 0;
    if (i < n) { float4 v = g_scratch[i]; e = 0.5 / n * (v.x * v.x + v.y * v.y + v.z * v.z); }
    for (int o = 16; o; o >>= 1) e += __shfl_down_sync(0xffffffffu, e, o);
    if ((threadIdx.x & 31) == 0) atomicAdd(&g_energy, e);
    if (i == 0) g_tableReady = 1;
}
int main(int argc, char** argv) {
    int n = 512, steps = 3, opt;
    while ((opt = getopt(argc, argv, "n:s:")) != -1) { if (opt == 'n') n = atoi(optarg); if (opt == 's') steps = atoi(optarg); }
    SimParams h = {0.01f, 0.01f, n, 1.0f};
    cudaCheck(cudaMemcpyToSymbol(params, &h, sizeof h, 0, cudaMemcpyHostToDevice));
    float4 *pos, *vel, *acc; curandState* st;
    cudaCheck(cudaMalloc(&pos, n * sizeof(float4))); cudaCheck(cudaMalloc(&vel, n * sizeof(float4)));
    cudaCheck(cudaMalloc(&acc, n * sizeof(float4))); cudaCheck(cudaMalloc(&st, n * sizeof(curandState)));
    int minGrid, block;
    cudaCheck(cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, integrate, 0, 128));
    cudaCheck(cudaFuncSetAttribute(forces, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    int grid = (n + 127) / 128;
    setup<<<grid, 128>>>(st, 1234ULL, n);
    randomBodies<<<grid, 128>>>(st, pos, vel, n);
    cudaCheck(cudaGetLastError());
    std::vector<float4> p(n), v(n);
    cudaCheck(cudaMemcpy(p.data(), pos, n * sizeof(float4), cudaMemcpyDeviceToHost));
    memset(v.data(), 0, n * sizeof(float4));
    for (int s = 0; s < steps; ++s) {
        forces<<<grid, 128, 128 * sizeof(float4)>>>(pos, acc);
        integrate<<<grid, 128>>>(pos, vel, acc);
    }
    double zero = 0;
    void* where = nullptr;
    cudaCheck(cudaGetSymbolAddress(&where, g_energy));
    cudaCheck(cudaMemcpy(where, &zero, sizeof zero, cudaMemcpyHostToDevice));
    kinetic<<<grid, 128>>>(n);
    double energy = 0; int ready = 0;
    cudaCheck(cudaMemcpyFromSymbol(&energy, g_energy, sizeof energy));
    cudaCheck(cudaMemcpyFromSymbol(&ready, g_tableReady, sizeof ready));
    float4 first[4];
    cudaCheck(cudaMemcpyFromSymbol(first, g_scratch, sizeof first, 16 * sizeof(float4)));
    for (int s = 0; s < steps; ++s) {
        std::vector<float3> a(n);
        for (int i = 0; i < n; ++i) {
            float3 ai = {0, 0, 0};
            for (int j = 0; j < n; ++j) { float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z, d2 = dx * dx + dy * dy + dz * dz + h.softening; float inv = 1 / sqrtf(d2 * d2 * d2) * p[j].w; ai.x += dx * inv; ai.y += dy * inv; ai.z += dz * inv; }
            a[i] = ai;
        }
        for (int i = 0; i < n; ++i) { v[i].x += a[i].x * h.dt; v[i].y += a[i].y * h.dt; v[i].z += a[i].z * h.dt; p[i].x += v[i].x * h.dt; p[i].y += v[i].y * h.dt; p[i].z += v[i].z * h.dt; }
    }
    double want = 0;
    for (int i = 0; i < n; ++i) want += 0.5 / n * (v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z);
    bool ok = std::fabs(energy - want) < 1e-4 * want && ready == 1 && std::fabs(first[0].x - v[16].x) < 1e-4 * std::fabs(v[16].x) + 1e-6;
    std::printf("energy %.9g (expected %.9g), ready %d, block %d: %s\n", energy, want, ready, block, ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
