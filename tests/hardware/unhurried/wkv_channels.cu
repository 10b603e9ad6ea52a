/*
[kernel]
title   = "Attention without a matrix: decayed sums of keys and values of each channel, step by step, four batches"

[parameters]
steps = { default = 64 }

[buffers]
decay = { type = "f32", length = "1056", fill = "random", seed = "1810" }
bonus = { type = "f32", length = "1056", fill = "random", seed = "1811" }
keys = { type = "f32", length = "4 * steps * 1056", fill = "random", seed = "1812" }
values = { type = "f32", length = "4 * steps * 1056", fill = "random", seed = "1813" }
out = { type = "f32", length = "4 * steps * 1056", fill = "zero" }

[launch]
arguments = ["decay", "bonus", "keys", "values", "out", "steps"]
grid  = ["33", "4"]
block = ["32"]
*/
extern "C" __global__ void wkv_channels(const float* __restrict__ decay, const float* __restrict__ bonus, const float* __restrict__ keys,
                                        const float* __restrict__ values, float* __restrict__ out, int steps) {
    const int channel = blockIdx.x * 32 + threadIdx.x, begin = blockIdx.y * steps * 1056 + channel;
    const float w = -decay[channel], u = bonus[channel];
    float p = 0, q = 0, most = -1e38f;
    for (int t = 0; t < steps; ++t) {
        const int at = begin + t * 1056;
        const float k = keys[at], v = values[at];
        float larger = fmaxf(most, u + k), a = expf(most - larger), b = expf(u + k - larger);
        out[at] = (a * p + b * v) / (a * q + b);
        larger = fmaxf(w + most, k);
        a = expf(w + most - larger);
        b = expf(k - larger);
        p = a * p + b * v;
        q = a * q + b;
        most = larger;
    }
}
