/*
[kernel]
title   = "A word from the likeliest ones that make up nine tenths: largest score, sum of exponentials, a threshold by bisection, one of those above it"

[parameters]
rows = { default = 264 }
words = { default = 8192 }

[buffers]
scores = { type = "f32", length = "rows * words", fill = "random", seed = "1522" }
draws = { type = "f32", length = "rows", fill = "random", seed = "1523" }
chosen = { type = "i32", length = "rows", fill = "zero" }

[launch]
arguments = ["scores", "draws", "chosen", "words"]
grid  = ["rows"]
block = ["512"]
*/
__device__ inline float over_block(float v, bool largest, float* parts) {
    for (int d = 16; d > 0; d /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, v, d);
        v = largest ? fmaxf(v, other) : v + other;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = parts[threadIdx.x % 16];
    for (int d = 8; d > 0; d /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, v, d);
        v = largest ? fmaxf(v, other) : v + other;
    }
    return v;
}
extern "C" __global__ void nucleus_sample(const float* __restrict__ scores, const float* __restrict__ draws,
                                          int* __restrict__ chosen, int words) {
    __shared__ float parts[16];
    __shared__ int first;
    const float* row = scores + blockIdx.x * words;
    float p[16], top = -1.0e30f;
#pragma unroll
    for (int i = 0; i < 16; ++i) {
        p[i] = 6 * row[i * 512 + threadIdx.x];
        top = fmaxf(top, p[i]);
    }
    top = over_block(top, true, parts);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 16; ++i) {
        p[i] = __expf(p[i] - top);
        sum += p[i];
    }
    sum = over_block(sum, false, parts);
    float low = 0, high = 1;
    for (int step = 0; step < 16; ++step) {
        const float middle = 0.5f * (low + high);
        float above = 0;
#pragma unroll
        for (int i = 0; i < 16; ++i) above += p[i] >= middle ? p[i] : 0;
        above = over_block(above, false, parts);
        if (above >= 0.9f * sum) low = middle;
        else high = middle;
    }
    if (threadIdx.x == 0) first = words;
    __syncthreads();
    const int wanted = int(draws[blockIdx.x] * words);
    int mine = words;
#pragma unroll
    for (int i = 0; i < 16; ++i)
        if (p[i] >= low) mine = min(mine, (i * 512 + int(threadIdx.x) - wanted + words) % words);
    mine = __reduce_min_sync(0xffffffffu, mine);
    if (threadIdx.x % 32 == 0) atomicMin(&first, mine);
    __syncthreads();
    if (threadIdx.x == 0) chosen[blockIdx.x] = (first + wanted) % words;
}
