/*
[kernel]
title   = "A bank of 8 filters of 16 taps: samples through shared memory, each thread one sample of all filters"

[parameters]
samples = { default = 540672 }

[buffers]
signal = { type = "f32", length = "samples + 16", fill = "random", seed = "1161" }
taps = { type = "f32", length = "8 * 16", fill = "random", seed = "1162" }
out = { type = "f32", length = "samples * 8", fill = "zero" }

[launch]
arguments = ["signal", "taps", "out", "samples"]
grid  = ["ceil_div(samples, 256)"]
block = ["256"]
*/
extern "C" __global__ void fir_bank(const float* signal, const float* taps, float* out, int samples) {
    __shared__ float window[256 + 16], weights[8 * 16];
    const int first = blockIdx.x * 256;
    for (int i = threadIdx.x; i < 256 + 16; i += 256) window[i] = first + i < samples + 16 ? signal[first + i] : 0.0f;
    if (threadIdx.x < 128) weights[threadIdx.x] = taps[threadIdx.x];
    __syncthreads();
    const int at = first + threadIdx.x;
    if (at >= samples) return;
    for (int filter = 0; filter < 8; ++filter) {
        float sum = 0.0f;
        for (int k = 0; k < 16; ++k) sum += window[threadIdx.x + k] * weights[filter * 16 + k];
        out[filter * samples + at] = sum;
    }
}
