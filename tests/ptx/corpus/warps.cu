// Warp operations, barriers, atomics, fences, volatile, caches, cooperative groups, asynchronous copies.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

__global__ void shuffles(int* v, float* f) {
    int i = threadIdx.x;
    for (int k = 16; k; k /= 2) f[i] += __shfl_xor_sync(~0u, f[i], k);
    v[i] += __shfl_sync(~0u, v[i], 3) + __shfl_up_sync(0xffffu, v[i], 1, 16) + __shfl_down_sync(~0u, v[i], 2);
    v[i] += __ballot_sync(~0u, v[i] > 3) + __any_sync(~0u, v[i]) + __all_sync(~0u, v[i]) + __activemask();
    v[i] += __match_any_sync(~0u, v[i]);
    __syncwarp();
    v[i] += __syncthreads_count(v[i]) + __syncthreads_and(v[1]) + __syncthreads_or(v[2]);
    if (i > 3) __threadfence();
    __threadfence_block();
    __threadfence_system();
#if __CUDA_ARCH__ >= 800
    v[i] += __reduce_add_sync(~0u, v[i]) + __reduce_max_sync(~0u, (unsigned)v[i]);
#endif
}
__global__ void atomics(int* v, unsigned* u, unsigned long long* w, float* f, double* d) {
    __shared__ int bins[32];
    int i = threadIdx.x;
    bins[i & 31] = 0;
    __syncthreads();
    atomicAdd(&bins[v[i] & 31], 1);
    v[i] += atomicMin(&v[1], i) + atomicMax(&v[2], i) + atomicExch(&v[3], i) + atomicCAS(&v[4], 1, i);
    u[i] += atomicInc(&u[1], 9) + atomicDec(&u[2], 9) + atomicAnd(&u[3], 7) + atomicOr(&u[4], 7) + atomicXor(&u[5], 7);
    atomicAdd(&w[0], 3ull);
    w[1] += atomicMax(&w[2], 5ull);
    atomicAdd(f, 1.f);
    atomicAdd(d, 1.0);
    atomicAdd_system(&v[7], 1);
    while (atomicCAS(&v[8], 0, 1) != 0) __nanosleep(40);
    __stcs(f + i, __ldcg(f + 32 + i) + __ldcs(f + 64 + i) + __ldg(f + 96 + i));
    __stwt(f + i, __ldcv(f + i));
    *(volatile int*)&bins[i & 31] = v[i];
    v[i] = ((volatile int*)bins)[(i + 1) & 31] + (int)clock64() + (int)clock();
}
__global__ void groups(int* v) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(warp);
    v[block.thread_rank()] += warp.shfl_down(v[0], 3) + quad.size() + quad.any(v[1]);
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0) v[7] = active.size();
    block.sync();
    cg::this_grid().sync();
}
#if __CUDA_ARCH__ >= 800
__global__ void copies(float4* out, const float4* in) {
    __shared__ float4 stage[2][64];
    for (int s = 0; s < 2; ++s) {
        __pipeline_memcpy_async(&stage[s][threadIdx.x], &in[threadIdx.x + 64 * s], 16);
        __pipeline_commit();
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = stage[1][threadIdx.x ^ 1];
}
#endif
