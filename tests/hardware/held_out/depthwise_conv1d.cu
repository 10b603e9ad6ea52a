/*
[kernel]
title   = "Causal depthwise convolution of four taps with a sigmoid, each thread walks along one channel"

[parameters]
channels = { default = 2048 }
length = { default = 2048 }

[buffers]
x = { type = "f32", length = "channels * length", fill = "random", seed = "210" }
taps = { type = "f32", length = "channels * 4", fill = "random", seed = "211" }
out = { type = "f32", length = "channels * length", fill = "zero" }

[launch]
arguments = ["x", "taps", "out", "channels"]
grid  = ["channels // 128", "length // 64"]
block = ["128"]
*/
extern "C" __global__ void depthwise_conv1d(const float* __restrict__ x, const float4* __restrict__ taps,
                                            float* __restrict__ out, int channels) {
    const int channel = blockIdx.x * 128 + threadIdx.x, first = blockIdx.y * 64;
    const float4 w = taps[channel];
    float a = 0, b = 0, c = 0;
    if (first > 0) {
        a = x[(first - 3) * channels + channel];
        b = x[(first - 2) * channels + channel];
        c = x[(first - 1) * channels + channel];
    }
    for (int t = first; t < first + 64; ++t) {
        const float d = x[t * channels + channel];
        const float sum = w.x * a + w.y * b + w.z * c + w.w * d;
        out[t * channels + channel] = sum / (1 + __expf(-sum));
        a = b, b = c, c = d;
    }
}
