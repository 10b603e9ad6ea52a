/*
[kernel]
title   = "Rows of two experts for each token, weighted and added to the token, 256 floats a row, a warp a token"

[parameters]
tokens = { default = 8448 }

[buffers]
rows = { type = "f32", length = "tokens * 2 * 256", fill = "random", seed = "1814" }
places = { type = "u32", length = "tokens * 2", fill = "random", seed = "1815", below = "16896" }
weights = { type = "f32", length = "tokens * 2", fill = "random", seed = "1816" }
rest = { type = "f32", length = "tokens * 256", fill = "random", seed = "1817" }
out = { type = "f32", length = "tokens * 256", fill = "zero" }

[launch]
arguments = ["rows", "places", "weights", "rest", "out"]
grid  = ["tokens // 8"]
block = ["256"]
*/
extern "C" __global__ void combine_experts(const float4* __restrict__ rows, const unsigned* __restrict__ places, const float* __restrict__ weights,
                                           const float4* __restrict__ rest, float4* __restrict__ out) {
    const int token = (blockIdx.x * 256 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const unsigned first = places[token * 2], second = places[token * 2 + 1];
    const float w1 = weights[token * 2], w2 = weights[token * 2 + 1];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        const int at = k * 32 + lane;
        const float4 a = rows[first * 64 + at], b = rows[second * 64 + at];
        float4 r = rest[token * 64 + at];
        r.x += w1 * a.x + w2 * b.x;
        r.y += w1 * a.y + w2 * b.y;
        r.z += w1 * a.z + w2 * b.z;
        r.w += w1 * a.w + w2 * b.w;
        out[token * 64 + at] = r;
    }
}
