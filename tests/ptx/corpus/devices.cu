// Textures, surfaces, tensor cores, inline assembly with scopes, clusters.
#include <mma.h>
#include <cooperative_groups.h>
using namespace nvcuda;

__global__ void textures(float* out, cudaTextureObject_t t, cudaSurfaceObject_t s) {
    int i = threadIdx.x;
    float4 a = tex2D<float4>(t, i, 1.5f);
    out[i] = a.x + a.w + tex1Dfetch<float>(t, i) + tex3D<float>(t, i, 2.f, 3.f) + tex2DLod<float>(t, i, 1.f, 2.f) + tex2DLayered<float>(t, i, 1.f, 2);
    surf2Dwrite(out[i], s, i * 4, 0);
    out[i] += surf2Dread<float>(s, i * 4, 1);
}
__global__ void tensor(const half* a, const half* b, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__device__ __forceinline__ unsigned pick(unsigned a, unsigned b) {
    unsigned r;
    asm volatile("{\n\t.reg .pred p, q;\n\t.reg .b32 t<3>;\n\tsetp.gt.u32 p|q, %1, %2;\n\t@p bra SKIP;\n\tmov.b32 t0, 0x1F;\n\tadd.u32 t1, t0, -1;\n"
                 "\t@!q xor.b32 t1, t1, 0b101;\nSKIP:\n\tlop3.b32 t2, %1, t1, 0777, 0xE8;\n\tselp.b32 %0, t2, %1, p;\n\t}" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
__global__ void assembly(unsigned* v, float* f, double* d) {
    __shared__ unsigned box[128];
    unsigned i = threadIdx.x, lane, mask, r;
    v[i] = pick(v[i], v[1]) + pick(v[2], v[3]);
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.ballot.sync.b32 %0, p, 0xffffffff; }" : "=r"(mask) : "r"(lane & 1));
    asm("{ .reg .pred p; .reg .b32 x; setp.ne.b32 p, %1, 0; shfl.sync.bfly.b32 x|p, %1, 1, 0x1f, -1; @p add.u32 %0, x, WARP_SZ; @!p mov.u32 %0, 0; }" : "=r"(r) : "r"(lane));
    box[i] = lane + mask + r;
    unsigned at = (unsigned)__cvta_generic_to_shared(box + i), q0, q1, q2, q3;
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4+-16 + 4*4];" : "=r"(q0), "=r"(q1), "=r"(q2), "=r"(q3) : "r"(at));
    asm volatile("ld.shared.v2.u32 {%0, _}, [%1];" : "=r"(r) : "r"(at & ~7u));
    asm volatile("fma.rn.f32 %0, %0, 0f40490FDB, 1.5;" : "+f"(f[i]));
    asm volatile("add.f64 %0, %0, 0d3FF0000000000000;" : "+d"(d[i]));
    asm volatile("{ .reg .u32 lo, hi; mov.b64 {lo, hi}, %1; add.cc.u32 lo, lo, 1U; addc.u32 hi, hi, 0; mov.b64 %0, {lo, hi}; }" : "=d"(d[i + 1]) : "d"(d[i]));
    asm volatile("prefetch.global.L2 [%0];" :: "l"(v + 64));
    v[i] = q0 ^ q1 ^ q2 ^ q3 ^ r;
}
#if __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(2, 1, 1) clusters(int* v) {
    __shared__ int x;
    auto c = cooperative_groups::this_cluster();
    x = c.block_rank();
    c.sync();
    v[blockIdx.x] = *c.map_shared_rank(&x, x ^ 1);
}
#endif
