/*
[kernel]
title   = "A gated recurrent unit: 128 hidden values of four sequences in a block, two gates and a candidate, three steps"

[parameters]
sequences = { default = 528 }

[buffers]
weights = { type = "f32", length = "3 * 128 * 128", fill = "formula", value = "random() * 0.1 - 0.05", seed = "2021" }
inputs = { type = "f32", length = "3 * sequences * 384", fill = "formula", value = "random() - 0.5", seed = "2022" }
state = { type = "f32", length = "sequences * 128", fill = "random", seed = "2023" }

[launch]
arguments = ["weights", "inputs", "state", "sequences"]
grid  = ["sequences // 4"]
block = ["128"]
*/
extern "C" __global__ void gru_cell(const float* __restrict__ weights, const float* __restrict__ inputs, float* __restrict__ state, int sequences) {
    __shared__ float4 hidden[128];
    const int unit = threadIdx.x, first = blockIdx.x * 4;
    float4 h = make_float4(state[first * 128 + unit], state[(first + 1) * 128 + unit], state[(first + 2) * 128 + unit],
                           state[(first + 3) * 128 + unit]);
    for (int step = 0; step < 3; ++step) {
        hidden[unit] = h;
        __syncthreads();
        float sums[3][4] = {};
        for (int k = 0; k < 128; ++k) {
            const float4 other = hidden[k];
#pragma unroll
            for (int gate = 0; gate < 3; ++gate) {
                const float w = weights[(gate * 128 + k) * 128 + unit];
                sums[gate][0] += w * other.x;
                sums[gate][1] += w * other.y;
                sums[gate][2] += w * other.z;
                sums[gate][3] += w * other.w;
            }
        }
        float* const all[4] = {&h.x, &h.y, &h.z, &h.w};
#pragma unroll
        for (int s = 0; s < 4; ++s) {
            const float* const in = inputs + (step * sequences + first + s) * 384 + unit;
            const float reset = 1 / (1 + __expf(-in[0] - sums[0][s])), update = 1 / (1 + __expf(-in[128] - sums[1][s]));
            const float candidate = tanhf(in[256] + reset * sums[2][s]);
            *all[s] = candidate + update * (*all[s] - candidate);
        }
        __syncthreads();
    }
    state[first * 128 + unit] = h.x;
    state[(first + 1) * 128 + unit] = h.y;
    state[(first + 2) * 128 + unit] = h.z;
    state[(first + 3) * 128 + unit] = h.w;
}
