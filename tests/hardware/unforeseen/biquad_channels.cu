/*
[kernel]
title   = "Four recursive filters of second order one after another for each of many channels, samples of a channel in turn through shared memory"

[parameters]
channels = { default = 4224 }
samples = { default = 256 }

[buffers]
input = { type = "f32", length = "channels * samples", fill = "random", seed = "1525" }
coefficients = { type = "f32", length = "20", fill = "formula", value = "(i % 5 < 3 and 0.2 or -0.3) + i / 200" }
output = { type = "f32", length = "channels * samples", fill = "zero" }

[launch]
arguments = ["input", "coefficients", "output", "samples"]
grid  = ["channels // 32"]
block = ["32"]
*/
extern "C" __global__ void biquad_channels(const float* __restrict__ input, const float* __restrict__ coefficients,
                                           float* __restrict__ output, int samples) {
    __shared__ float tile[32][33];
    const int lane = threadIdx.x, channel0 = blockIdx.x * 32;
    float c[20], one[4] = {}, two[4] = {};
#pragma unroll
    for (int i = 0; i < 20; ++i) c[i] = coefficients[i];
    for (int begin = 0; begin < samples; begin += 32) {
        for (int i = 0; i < 32; ++i) tile[i][lane] = input[(channel0 + i) * samples + begin + lane];
        __syncwarp();
        for (int t = 0; t < 32; ++t) {
            float x = tile[lane][t];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const float y = c[5 * k] * x + one[k];
                one[k] = c[5 * k + 1] * x - c[5 * k + 3] * y + two[k];
                two[k] = c[5 * k + 2] * x - c[5 * k + 4] * y;
                x = y;
            }
            tile[lane][t] = x;
        }
        __syncwarp();
        for (int i = 0; i < 32; ++i) output[(channel0 + i) * samples + begin + lane] = tile[i][lane];
        __syncwarp();
    }
}
