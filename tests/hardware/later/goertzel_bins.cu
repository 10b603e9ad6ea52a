/*
[kernel]
title   = "Strength of 64 tones in each of many windows of 256 samples: a block per window, a tone per thread, two chains of multiply-adds"

[parameters]
windows = { default = 1056 }

[buffers]
samples = { type = "f32", length = "windows * 256", fill = "random", seed = "1023" }
power = { type = "f32", length = "windows * 64", fill = "zero" }

[launch]
arguments = ["samples", "power"]
grid  = ["windows"]
block = ["64"]
*/
extern "C" __global__ void goertzel_bins(const float* __restrict__ samples, float* __restrict__ power) {
    __shared__ float window[256];
    for (int i = threadIdx.x; i < 256; i += 64) window[i] = samples[blockIdx.x * 256 + i];
    __syncthreads();
    const float twice = 2 * __cosf(0.0245436926f * (threadIdx.x + 1));
    float last = 0, before = 0;
    for (int i = 0; i < 256; ++i) {
        const float next = window[i] + twice * last - before;
        before = last;
        last = next;
    }
    power[blockIdx.x * 64 + threadIdx.x] = last * last + before * before - twice * last * before;
}
