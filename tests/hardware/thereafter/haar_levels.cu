/*
[kernel]
title   = "Nine levels of the Haar wavelet of rows of 1024, a block per row, halving the threads at each level in shared memory"

[parameters]
rows = { default = 1056 }

[buffers]
signal = { type = "f32", length = "rows * 1024", fill = "random", seed = "1124" }
details = { type = "f32", length = "rows * 1024", fill = "zero" }

[launch]
arguments = ["signal", "details"]
grid  = ["rows"]
block = ["512"]
*/
extern "C" __global__ void haar_levels(const float* __restrict__ signal, float* __restrict__ details) {
    __shared__ float shared[512 + 512 / 16];
    const int i = threadIdx.x;
    signal += blockIdx.x * 1024;
    details += blockIdx.x * 1024;
    const float2 first = reinterpret_cast<const float2*>(signal)[i];
    details[512 + i] = (first.x - first.y) * 0.70710678f;
    shared[i + i / 16] = (first.x + first.y) * 0.70710678f;
    __syncthreads();
    for (int active = 256; active > 0; active /= 2) {
        float low = 0;
        if (i < active) {
            const int a = 2 * i, b = 2 * i + 1;
            const float left = shared[a + a / 16], right = shared[b + b / 16];
            details[active + i] = (left - right) * 0.70710678f;
            low = (left + right) * 0.70710678f;
        }
        __syncthreads();
        if (i < active) shared[i + i / 16] = low;
        __syncthreads();
    }
    if (i == 0) details[0] = shared[0];
}
