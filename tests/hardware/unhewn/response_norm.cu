/*
[kernel]
title   = "Normalization of responses across five channels of 32, a window of squares that slides; a thread for each pixel"

[parameters]
pixels = { default = 33792 }

[buffers]
x = { type = "f32", length = "pixels * 32", fill = "random", seed = "2291" }
out = { type = "f32", length = "pixels * 32", fill = "zero" }

[launch]
arguments = ["x", "out", "pixels"]
grid  = ["pixels // 128"]
block = ["128"]
*/
extern "C" __global__ void response_norm(const float* __restrict__ x, float* __restrict__ out, int pixels) {
    const int pixel = blockIdx.x * 128 + threadIdx.x;
    float window[5] = {0, 0, 0, x[pixel], x[pixels + pixel]};
#pragma unroll
    for (int channel = 0; channel < 32; ++channel) {
#pragma unroll
        for (int k = 0; k < 4; ++k) window[k] = window[k + 1];
        window[4] = channel + 2 < 32 ? x[(channel + 2) * pixels + pixel] : 0;
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 5; ++k) sum = fmaf(window[k], window[k], sum);
        out[channel * pixels + pixel] = window[2] * __powf(2 + 2e-5f * sum, -0.75f);
    }
}
