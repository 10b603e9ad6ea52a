/*
[kernel]
title   = "Each token's two best of 64 experts: a warp per token, best by shuffles, places in the experts' lists by atomics in two steps"

[parameters]
tokens = { default = 16896 }

[buffers]
scores = { type = "f32", length = "tokens * 64", fill = "random", seed = "921" }
counts = { type = "u32", length = "64", fill = "zero" }
chosen = { type = "u32", length = "2 * tokens", fill = "zero" }
shares = { type = "f32", length = "2 * tokens", fill = "zero" }

[launch]
arguments = ["scores", "counts", "chosen", "shares"]
grid  = ["tokens // 32"]
block = ["256"]
*/
extern "C" __global__ void expert_choice(const float* scores, unsigned* counts, unsigned* chosen, float* shares) {
    __shared__ unsigned in_block[64], before[64];
    if (threadIdx.x < 64) in_block[threadIdx.x] = 0;
    __syncthreads();
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned best[4][2], place[4][2];
    float share[4];
    for (int i = 0; i < 4; ++i) {
        const int token = blockIdx.x * 32 + warp * 4 + i;
        float a = scores[token * 64 + lane], b = scores[token * 64 + 32 + lane], top[2];
        for (int round = 0; round < 2; ++round) {
            float value = fmaxf(a, b);
            unsigned at = a >= b ? lane : lane + 32;
            for (int mask = 16; mask > 0; mask /= 2) {
                const float other = __shfl_xor_sync(~0u, value, mask);
                const unsigned from = __shfl_xor_sync(~0u, at, mask);
                if (other > value || (other == value && from < at)) value = other, at = from;
            }
            top[round] = value;
            best[i][round] = at;
            if (at == unsigned(lane)) a = -1e30f;
            if (at == unsigned(lane) + 32) b = -1e30f;
        }
        share[i] = 1 / (1 + __expf(top[1] - top[0]));
        if (lane == 0)
            for (int round = 0; round < 2; ++round) place[i][round] = atomicAdd(&in_block[best[i][round]], 1);
    }
    __syncthreads();
    if (threadIdx.x < 64) before[threadIdx.x] = atomicAdd(&counts[threadIdx.x], in_block[threadIdx.x]);
    __syncthreads();
    if (lane != 0) return;
    for (int i = 0; i < 4; ++i)
        for (int round = 0; round < 2; ++round) {
            const int to = (blockIdx.x * 32 + warp * 4 + i) * 2 + round;
            chosen[to] = best[i][round] << 24 | before[best[i][round]] + place[i][round];
            shares[to] = round == 0 ? share[i] : 1 - share[i];
        }
}
