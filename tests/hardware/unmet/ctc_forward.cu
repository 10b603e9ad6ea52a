/*
[kernel]
title   = "Connectionist temporal classification, forward: a block per sequence, a thread per state of the label, a barrier per step"

[parameters]
sequences = { default = 132 }
steps = { default = 100 }

[buffers]
logits = { type = "f32", length = "sequences * steps * 64", fill = "formula", value = "-random(1000) / 200", seed = "1326" }
labels = { type = "i32", length = "sequences * 48", fill = "formula", value = "1 + random(63)", seed = "1327" }
losses = { type = "f32", length = "sequences", fill = "zero" }

[launch]
arguments = ["logits", "labels", "losses", "steps", "i32=48"]
grid  = ["sequences"]
block = ["128"]
*/
__device__ inline float both(float a, float b) {
    const float top = fmaxf(a, b), low = fminf(a, b);
    return low < -1e29f ? top : top + log1pf(expf(low - top));
}
extern "C" __global__ void ctc_forward(const float* __restrict__ logits, const int* __restrict__ labels,
                                       float* __restrict__ losses, int steps, int length) {
    __shared__ float alpha[2][130];
    const int state = threadIdx.x, states = 2 * length + 1;
    const float* own = logits + blockIdx.x * steps * 64;
    const int* label = labels + blockIdx.x * length;
    const int symbol = state < states && state % 2 == 1 ? label[state / 2] : 0;
    const bool skips = state >= 3 && state % 2 == 1 && state < states && label[state / 2 - 1] != symbol;
    if (state < 2) alpha[0][state] = alpha[1][state] = -1e30f;
    alpha[0][state + 2] = state < 2 ? own[symbol] : -1e30f;
    __syncthreads();
    for (int step = 1; step < steps; ++step) {
        const float* before = alpha[(step - 1) % 2];
        float sum = both(before[state + 2], before[state + 1]);
        if (skips) sum = both(sum, before[state]);
        alpha[step % 2][state + 2] = state < states ? sum + own[step * 64 + symbol] : -1e30f;
        __syncthreads();
    }
    if (state == 0) {
        const float* last = alpha[(steps - 1) % 2];
        losses[blockIdx.x] = -both(last[states + 1], last[states]);
    }
}
