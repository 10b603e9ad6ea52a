/*
[kernel]
title   = "Attention with tensor cores, the flash way: 64 queries of a block, keys and values by tiles of 64, running maximum"

[parameters]
heads = { default = 24 }
sequence = { default = 512 }

[buffers]
q = { type = "f16", length = "heads * sequence * 64", fill = "random", seed = "719" }
k = { type = "f16", length = "heads * sequence * 64", fill = "random", seed = "720" }
v = { type = "f16", length = "heads * sequence * 64", fill = "random", seed = "721" }
o = { type = "f16", length = "heads * sequence * 64", fill = "zero" }

[launch]
arguments = ["q", "k", "v", "o", "sequence"]
grid  = ["sequence // 64", "heads"]
block = ["128"]
*/
#include <cuda_fp16.h>
__device__ unsigned in_shared(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }
__device__ void load_four(unsigned (&r)[4], const void* at) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(in_shared(at)));
}
__device__ void load_turned(unsigned (&r)[4], const void* at) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(in_shared(at)));
}
__device__ void product(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ unsigned two_halves(float a, float b) {
    const __half2 both = __floats2half2_rn(a, b);
    return *reinterpret_cast<const unsigned*>(&both);
}
// A row is 64 halves and 8 more.
extern "C" __global__ void __launch_bounds__(128) flash_forward(const __half* __restrict__ q, const __half* __restrict__ k,
                                                                const __half* __restrict__ v, __half* __restrict__ o,
                                                                int sequence) {
    __shared__ __align__(16) __half keys[64][72], values[64][72];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t head = size_t(blockIdx.y) * sequence * 64;
    const auto copy = [&](__half (*to)[72], const __half* from) {
        for (int i = 0; i < 4; ++i) {
            const int row = (threadIdx.x + i * 128) / 8, piece = threadIdx.x % 8;
            *reinterpret_cast<uint4*>(&to[row][piece * 8]) = *reinterpret_cast<const uint4*>(from + row * 64 + piece * 8);
        }
    };
    copy(keys, q + head + blockIdx.x * 64 * 64);
    __syncthreads();
    unsigned query[4][4];
    for (int part = 0; part < 4; ++part) load_four(query[part], &keys[warp * 16 + lane % 16][part * 16 + lane / 16 * 8]);
    __syncthreads();
    float out[8][4] = {}, highest[2] = {-1e30f, -1e30f}, sum[2] = {};
    for (int tile = 0; tile < sequence; tile += 64) {
        copy(keys, k + head + tile * 64);
        copy(values, v + head + tile * 64);
        __syncthreads();
        float score[8][4] = {};
        for (int part = 0; part < 4; ++part)
            for (int j = 0; j < 4; ++j) {
                unsigned key[4];
                load_four(key, &keys[j * 16 + lane % 8 + lane / 16 * 8][part * 16 + lane / 8 % 2 * 8]);
                product(score[j * 2], query[part], key[0], key[1]);
                product(score[j * 2 + 1], query[part], key[2], key[3]);
            }
        for (int row = 0; row < 2; ++row) {
            float top = highest[row];
            for (int j = 0; j < 8; ++j) top = fmaxf(top, fmaxf(score[j][row * 2], score[j][row * 2 + 1]));
            top = fmaxf(top, __shfl_xor_sync(~0u, top, 1));
            top = fmaxf(top, __shfl_xor_sync(~0u, top, 2));
            const float factor = exp2f((highest[row] - top) * 0.18033688f);
            highest[row] = top;
            sum[row] *= factor;
            for (int j = 0; j < 8; ++j)
                for (int i = 0; i < 2; ++i) {
                    score[j][row * 2 + i] = exp2f((score[j][row * 2 + i] - top) * 0.18033688f);
                    sum[row] += score[j][row * 2 + i];
                    out[j][row * 2 + i] *= factor;
                }
        }
        for (int part = 0; part < 4; ++part) {
            const unsigned weight[4] = {two_halves(score[part * 2][0], score[part * 2][1]), two_halves(score[part * 2][2], score[part * 2][3]),
                                        two_halves(score[part * 2 + 1][0], score[part * 2 + 1][1]), two_halves(score[part * 2 + 1][2], score[part * 2 + 1][3])};
            for (int j = 0; j < 4; ++j) {
                unsigned value[4];
                load_turned(value, &values[part * 16 + lane % 16][j * 16 + lane / 16 * 8]);
                product(out[j * 2], weight, value[0], value[1]);
                product(out[j * 2 + 1], weight, value[2], value[3]);
            }
        }
        __syncthreads();
    }
    for (int row = 0; row < 2; ++row) {
        sum[row] += __shfl_xor_sync(~0u, sum[row], 1);
        sum[row] += __shfl_xor_sync(~0u, sum[row], 2);
        const int at = blockIdx.x * 64 + warp * 16 + row * 8 + lane / 4;
        for (int j = 0; j < 8; ++j)
            *reinterpret_cast<unsigned*>(o + head + at * 64 + j * 8 + lane % 4 * 2) =
                two_halves(out[j][row * 2] / sum[row], out[j][row * 2 + 1] / sum[row]);
    }
}
