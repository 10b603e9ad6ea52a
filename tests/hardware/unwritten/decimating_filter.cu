/*
[kernel]
title   = "A filter of 64 taps that keeps every fourth sample, channels by blocks, samples in shared memory"

[parameters]
channels = { default = 264 }

[buffers]
signal = { type = "f32", length = "channels * 4160", fill = "random", seed = "1624" }
taps = { type = "f32", length = "64", fill = "random", seed = "1625" }
kept = { type = "f32", length = "channels * 1024", fill = "zero" }

[launch]
arguments = ["signal", "taps", "kept"]
grid  = ["channels", "2"]
block = ["128"]
*/
extern "C" __global__ void decimating_filter(const float* __restrict__ signal, const float* __restrict__ taps, float* __restrict__ kept) {
    __shared__ float samples[2112], tap[64];
    const int first = blockIdx.x * 4160 + blockIdx.y * 2048;
    for (int i = threadIdx.x; i < 2112; i += 128) samples[i] = signal[first + i];
    if (threadIdx.x < 64) tap[threadIdx.x] = taps[threadIdx.x];
    __syncthreads();
    for (int out = threadIdx.x; out < 512; out += 128) {
        float sum = 0;
#pragma unroll 8
        for (int k = 0; k < 64; ++k) sum += tap[k] * samples[out * 4 + k];
        kept[blockIdx.x * 1024 + blockIdx.y * 512 + out] = sum;
    }
}
