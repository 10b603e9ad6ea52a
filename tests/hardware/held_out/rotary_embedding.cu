/*
[kernel]
title   = "Rotary position embedding of queries in place, sine and cosine computed by each thread"

[parameters]
tokens = { default = 2048 }
heads = { default = 16 }

[buffers]
x = { type = "f32", length = "tokens * heads * 64", fill = "random", seed = "203" }

[launch]
arguments = ["x", "heads"]
grid  = ["tokens"]
block = ["32", "8"]
*/
extern "C" __global__ void rotary_embedding(float* __restrict__ x, int heads) {
    const int token = blockIdx.x, pair = threadIdx.x;
    const float angle = token * exp2f(-pair * (13.287712f / 32));
    float sine, cosine;
    sincosf(angle, &sine, &cosine);
    for (int head = threadIdx.y; head < heads; head += blockDim.y) {
        float* row = x + (static_cast<size_t>(token) * heads + head) * 64;
        const float low = row[pair], high = row[pair + 32];
        row[pair] = low * cosine - high * sine;
        row[pair + 32] = high * cosine + low * sine;
    }
}
