/*
[kernel]
title   = "Exponential means and variances of 64 samples of each series, whose samples lie apart"

[parameters]
series = { default = 67584 }

[buffers]
samples = { type = "f32", length = "series * 64", fill = "random", seed = "1721" }
means = { type = "f32", length = "series", fill = "zero" }
spreads = { type = "f32", length = "series", fill = "zero" }

[launch]
arguments = ["samples", "means", "spreads", "series"]
grid  = ["ceil_div(series, 128)"]
block = ["128"]
*/
extern "C" __global__ void ema_series(const float* __restrict__ samples, float* __restrict__ means,
                                      float* __restrict__ spreads, int series) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= series) return;
    float mean = samples[i], spread = 0.0f;
    for (int k = 1; k < 64; ++k) {
        const float off = samples[k * series + i] - mean;
        mean += 0.125f * off;
        spread = 0.875f * (spread + 0.125f * off * off);
    }
    means[i] = mean;
    spreads[i] = spread;
}
