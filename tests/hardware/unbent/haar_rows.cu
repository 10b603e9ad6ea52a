/*
[kernel]
title   = "Haar wavelets of rows of 512, level by level in shared memory"

[parameters]
rows = { default = 2112 }

[buffers]
in = { type = "f32", length = "rows * 512", fill = "random", seed = "1602" }
out = { type = "f32", length = "rows * 512", fill = "zero" }

[launch]
arguments = ["in", "out"]
grid  = ["rows"]
block = ["256"]
*/
extern "C" __global__ void haar_rows(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float row[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    row[t] = in[first + t];
    row[t + 256] = in[first + t + 256];
    __syncthreads();
    for (int half = 256; half > 0; half >>= 1) {
        float sum = 0.0f, difference = 0.0f;
        if (t < half) {
            sum = (row[2 * t] + row[2 * t + 1]) * 0.70710678f;
            difference = (row[2 * t] - row[2 * t + 1]) * 0.70710678f;
        }
        __syncthreads();
        if (t < half) {
            row[t] = sum;
            out[first + half + t] = difference;
        }
        __syncthreads();
    }
    if (t == 0) out[first] = row[0];
}
