/*
[kernel]
title   = "Rates of six reactions in each cell of a flame: powers of the temperature, exponentials and products of concentrations"

[parameters]
cells = { default = 101376 }

[buffers]
heat = { type = "f32", length = "cells", fill = "random", seed = "1807" }
amounts = { type = "f32", length = "cells * 5", fill = "random", seed = "1808" }
rates = { type = "f32", length = "cells * 5", fill = "zero" }

[launch]
arguments = ["heat", "amounts", "rates", "cells"]
grid  = ["cells // 128"]
block = ["128"]
*/
__device__ float rate(float a, float power, float energy, float log_t, float inverse_t) {
    return __expf(a + power * log_t - energy * inverse_t);
}
extern "C" __global__ void reaction_rates(const float* __restrict__ heat, const float* __restrict__ amounts, float* __restrict__ rates, int cells) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= cells) return;
    const float t = 800.0f + 1400.0f * heat[i], log_t = logf(t), inverse = 1.0f / t;
    float c[5], w[5];
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        c[k] = amounts[k * cells + i] * 1e-3f;
        w[k] = 0;
    }
    const float third = 1.0f + 2.5f * c[0] + 12.0f * c[2] + 0.7f * c[3] + 0.4f * c[4];
    const float forward[6] = {30.9f, 10.8f, 12.3f, 14.9f, 43.0f, 37.3f}, power[6] = {-0.4f, 2.7f, 1.5f, 2.0f, -1.4f, -1.0f};
    const float energy[6] = {8350.0f, 3165.0f, 1726.0f, 6743.0f, 52526.0f, 0.0f};
#pragma unroll
    for (int r = 0; r < 6; ++r) {
        const float k = rate(forward[r] - 20.0f, power[r], energy[r], log_t, inverse);
        const float equal = expf(0.3f * r + 0.2f * log_t - (900.0f + 300.0f * r) * inverse);
        const int p = r % 5, q = (r + 1) % 5, s = (r + 2) % 5, u = (r + 3) % 5;
        float q_net = k * (c[p] * c[q] - c[s] * c[u] / equal);
        if (r >= 4) q_net *= third / (1.0f + k * third * 1e-6f);
        w[p] -= q_net;
        w[q] -= q_net;
        w[s] += q_net;
        w[u] += q_net;
    }
#pragma unroll
    for (int k = 0; k < 5; ++k) rates[k * cells + i] = w[k];
}
