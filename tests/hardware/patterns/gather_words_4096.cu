/*
[kernel]
title   = "Eight words of 4096 KiB at random places read by each thread, by all SMs"

[parameters]


[buffers]
x = { type = "f32", length = "1048576", fill = "random", seed = "3" }
z = { type = "f32", length = "1024", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void gather_words_4096(const float* __restrict__ x, float* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    unsigned r = i * 2654435761u + 1;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        r = r * 1664525u + 1013904223u;
        sum += x[(r >> 8) % 1048576u];
    }
    if (sum == 12345.0f) z[i & 255] = sum;
}
