/*
[kernel]
title   = "Queries, keys and values split by head with their bias: 16 bytes of halves at a time"

[parameters]
batch = { default = 6 }
sequence = { default = 384 }
heads = { default = 12 }

[buffers]
qkv = { type = "f16", length = "batch * sequence * 3 * heads * 64", fill = "random", seed = "713" }
bias = { type = "f16", length = "3 * heads * 64", fill = "random", seed = "714" }
out = { type = "f16", length = "3 * batch * heads * sequence * 64", fill = "zero" }

[launch]
arguments = ["qkv", "bias", "out", "batch", "sequence", "heads"]
grid  = ["sequence", "batch", "3"]
block = ["heads * 8"]
*/
#include <cuda_fp16.h>
extern "C" __global__ void permute_heads(const uint4* __restrict__ qkv, const uint4* __restrict__ bias,
                                         uint4* __restrict__ out, int batch, int sequence, int heads) {
    const int head = threadIdx.x / 8, piece = threadIdx.x % 8, token = blockIdx.x, sample = blockIdx.y, kind = blockIdx.z;
    uint4 x = qkv[((size_t(sample) * sequence + token) * 3 + kind) * heads * 8 + threadIdx.x];
    const uint4 add = bias[kind * heads * 8 + threadIdx.x];
    __half2* values = reinterpret_cast<__half2*>(&x);
    const __half2* adds = reinterpret_cast<const __half2*>(&add);
    for (int i = 0; i < 4; ++i) values[i] = __hadd2(values[i], adds[i]);
    if (kind == 0)
        for (int i = 0; i < 4; ++i) values[i] = __hmul2(values[i], __float2half2_rn(0.125f));
    out[(((size_t(kind) * batch + sample) * heads + head) * sequence + token) * 8 + piece] = x;
}
