/*
[kernel]
title   = "Root-mean-square norm of each head of 128 halves, then rotated by a table of angles, a warp per head"

[parameters]
tokens = { default = 2048 }
heads = { default = 16 }

[buffers]
in = { type = "f16", length = "tokens * heads * 128", fill = "random", seed = "418" }
weight = { type = "f32", length = "128", fill = "random", seed = "419" }
angles = { type = "f32", length = "tokens * 128", fill = "random", seed = "420" }
out = { type = "f16", length = "tokens * heads * 128", fill = "zero" }

[launch]
arguments = ["in", "weight", "angles", "out", "heads"]
grid  = ["heads // 8", "tokens"]
block = ["32", "8"]
*/
#include <cuda_fp16.h>
extern "C" __global__ void norm_rotary_half(const __half2* __restrict__ in, const float2* __restrict__ weight,
                                            const float4* __restrict__ angles, __half2* __restrict__ out, int heads) {
    const int lane = threadIdx.x, head = blockIdx.x * 8 + threadIdx.y, token = blockIdx.y;
    const size_t at = (size_t(token) * heads + head) * 64 + lane;
    const float2 first = __half22float2(in[at]), second = __half22float2(in[at + 32]);
    float sum = first.x * first.x + first.y * first.y + second.x * second.x + second.y * second.y;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    const float scale = rsqrtf(sum / 128 + 1e-6f);
    const float2 w = weight[lane], v = weight[lane + 32];
    const float4 turn = angles[token * 32 + lane];
    const float a = first.x * scale * w.x, b = first.y * scale * w.y;
    const float c = second.x * scale * v.x, d = second.y * scale * v.y;
    out[at] = __floats2half2_rn(a * turn.x - c * turn.y, b * turn.z - d * turn.w);
    out[at + 32] = __floats2half2_rn(c * turn.x + a * turn.y, d * turn.z + b * turn.w);
}
