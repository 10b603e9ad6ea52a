/*
[kernel]
title   = "Scores of one new token against keys in pages of 16 tokens that a table names: groups of four lanes per key, a block per head"

[parameters]
sequences = { default = 16 }
heads = { default = 16 }

[buffers]
query = { type = "f16", length = "sequences * heads * 64", fill = "constant", value = "0.125" }
pages = { type = "f16", length = "1024 * heads * 16 * 64", fill = "constant", value = "0.5" }
page_table = { type = "i32", length = "sequences * 32", fill = "random", seed = "1125", below = "1024" }
scores = { type = "f32", length = "sequences * heads * 512", fill = "zero" }

[launch]
arguments = ["query", "pages", "page_table", "scores", "heads", "f32=0.125"]
grid  = ["heads", "sequences"]
block = ["128"]
*/
#include <cuda_fp16.h>
__device__ float dot(const uint4 a, const uint4 b) {
    const __half2 *x = reinterpret_cast<const __half2*>(&a), *y = reinterpret_cast<const __half2*>(&b);
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
        const float2 u = __half22float2(x[k]), v = __half22float2(y[k]);
        sum = fmaf(u.x, v.x, fmaf(u.y, v.y, sum));
    }
    return sum;
}
extern "C" __global__ void paged_scores(const uint4* __restrict__ query, const uint4* __restrict__ pages,
                                        const int* __restrict__ page_table, float* __restrict__ scores, int heads, float scale) {
    __shared__ float largest[4];
    const int head = blockIdx.x, sequence = blockIdx.y, part = threadIdx.x % 4, group = threadIdx.x / 4, warp = threadIdx.x / 32;
    const uint4* own = query + (sequence * heads + head) * 8;
    const uint4 q0 = own[part], q1 = own[part + 4];
    float* row = scores + (sequence * heads + head) * 512;
    float best = -1e30f;
    for (int page = group / 16; page < 32; page += 2) {
        const uint4* key = pages + ((page_table[sequence * 32 + page] * heads + head) * 16 + group % 16) * 8;
        float sum = dot(q0, key[part]) + dot(q1, key[part + 4]);
        sum += __shfl_xor_sync(~0u, sum, 2);
        sum += __shfl_xor_sync(~0u, sum, 1);
        if (part == 0) row[page * 16 + group % 16] = sum * scale;
        best = fmaxf(best, sum * scale);
    }
    for (int distance = 16; distance >= 4; distance /= 2) best = fmaxf(best, __shfl_xor_sync(~0u, best, distance));
    if (threadIdx.x % 32 == 0) largest[warp] = best;
    __syncthreads();
    best = fmaxf(fmaxf(largest[0], largest[1]), fmaxf(largest[2], largest[3]));
    for (int i = threadIdx.x; i < 512; i += 128) row[i] = __expf(row[i] - best);
}
