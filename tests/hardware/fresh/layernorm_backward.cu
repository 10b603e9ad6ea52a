/*
[kernel]
title   = "Gradient of layer normalization with respect to its input, one warp per row"

[parameters]
rows = { default = 8192 }
width = { default = 512, macro = true }

[buffers]
x = { type = "f32", length = "rows * width", fill = "random", seed = "304" }
gradient = { type = "f32", length = "rows * width", fill = "random", seed = "305" }
weight = { type = "f32", length = "width", fill = "random", seed = "306" }
mean = { type = "f32", length = "rows", fill = "constant", value = "0.5" }
scale = { type = "f32", length = "rows", fill = "constant", value = "3.46" }
out = { type = "f32", length = "rows * width", fill = "zero" }

[launch]
arguments = ["x", "gradient", "weight", "mean", "scale", "out"]
grid  = ["rows // 8"]
block = ["32", "8"]
*/
__device__ float over_warp(float value) {
    for (int lane = 16; lane > 0; lane /= 2) value += __shfl_xor_sync(0xffffffffu, value, lane);
    return value;
}
extern "C" __global__ void layernorm_backward(const float* __restrict__ x, const float* __restrict__ gradient,
                                              const float* __restrict__ weight, const float* __restrict__ mean,
                                              const float* __restrict__ scale, float* __restrict__ out) {
    const int row = blockIdx.x * 8 + threadIdx.y;
    const float m = mean[row], s = scale[row];
    float g[width / 32], h[width / 32], sum = 0, product = 0;
    for (int i = 0; i < width / 32; ++i) {
        const int column = i * 32 + threadIdx.x;
        h[i] = (x[row * width + column] - m) * s;
        g[i] = gradient[row * width + column] * weight[column];
        sum += g[i];
        product += g[i] * h[i];
    }
    sum = over_warp(sum) / width;
    product = over_warp(product) / width;
    for (int i = 0; i < width / 32; ++i)
        out[row * width + i * 32 + threadIdx.x] = s * (g[i] - sum - h[i] * product);
}
