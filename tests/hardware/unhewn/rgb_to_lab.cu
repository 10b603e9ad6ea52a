/*
[kernel]
title   = "Pixels of four bytes to CIE Lab: linear light, three products, cube roots"

[parameters]
blocks = { default = 2112 }

[buffers]
pixels = { type = "u32", length = "blocks * 256", fill = "random", seed = "2281", below = "4294967295" }
lab = { type = "f32", length = "blocks * 768", fill = "zero" }

[launch]
arguments = ["pixels", "lab"]
grid  = ["blocks"]
block = ["256"]
*/
__device__ __forceinline__ float linear(unsigned byte) {
    const float v = byte * (1.0f / 255);
    return v <= 0.04045f ? v * (1 / 12.92f) : __powf((v + 0.055f) * (1 / 1.055f), 2.4f);
}
__device__ __forceinline__ float root(float t) { return t > 0.008856f ? cbrtf(t) : 7.787f * t + 16.0f / 116; }
extern "C" __global__ void rgb_to_lab(const unsigned* __restrict__ pixels, float* __restrict__ lab) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x, count = gridDim.x * 256, pixel = pixels[i];
    const float r = linear(pixel & 255), g = linear(pixel >> 8 & 255), b = linear(pixel >> 16 & 255);
    const float x = root((0.4124f * r + 0.3576f * g + 0.1805f * b) * (1 / 0.9505f));
    const float y = root(0.2126f * r + 0.7152f * g + 0.0722f * b);
    const float z = root((0.0193f * r + 0.1192f * g + 0.9505f * b) * (1 / 1.089f));
    lab[i] = 116 * y - 16;
    lab[count + i] = 500 * (x - y);
    lab[2 * count + i] = 200 * (y - z);
}
