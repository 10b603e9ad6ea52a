/*
[kernel]
title   = "The recurrence of a linear-attention layer: each thread walks 64 tokens of a channel, with running maxima and four exponentials each"

[parameters]
channels = { default = 2048 }
batch = { default = 8 }

[buffers]
decays = { type = "f32", length = "channels", fill = "random", seed = "1126" }
bonuses = { type = "f32", length = "channels", fill = "random", seed = "1127" }
keys = { type = "f32", length = "batch * 64 * channels", fill = "random", seed = "1128" }
values = { type = "f32", length = "batch * 64 * channels", fill = "random", seed = "1129" }
out = { type = "f32", length = "batch * 64 * channels", fill = "zero" }

[launch]
arguments = ["decays", "bonuses", "keys", "values", "out", "channels"]
grid  = ["channels * batch // 64"]
block = ["64"]
*/
extern "C" __global__ void decayed_keys(const float* __restrict__ decays, const float* __restrict__ bonuses,
                                        const float* __restrict__ keys, const float* __restrict__ values, float* __restrict__ out,
                                        int channels) {
    const int i = blockIdx.x * 64 + threadIdx.x, channel = i % channels, base = i / channels * 64 * channels + channel;
    const float decay = -decays[channel], bonus = bonuses[channel];
    float numerator = 0, denominator = 0, exponent = -1e38f;
    for (int token = 0; token < 64; ++token) {
        const int at = base + token * channels;
        const float key = keys[at], value = values[at];
        float top = fmaxf(exponent, bonus + key), past = __expf(exponent - top), now = __expf(bonus + key - top);
        out[at] = (past * numerator + now * value) / (past * denominator + now);
        top = fmaxf(decay + exponent, key);
        past = __expf(decay + exponent - top);
        now = __expf(key - top);
        numerator = past * numerator + now * value;
        denominator = past * denominator + now;
        exponent = top;
    }
}
