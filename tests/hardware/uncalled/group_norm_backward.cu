/*
[kernel]
title   = "Backward pass of a group norm: two sums over a group of four channels of 1024 pixels, then each pixel's gradient; a block a group"

[parameters]
groups = { default = 264 }

[buffers]
x = { type = "f32", length = "groups * 4096", fill = "random", seed = "2011" }
dy = { type = "f32", length = "groups * 4096", fill = "random", seed = "2012" }
gamma = { type = "f32", length = "128", fill = "random", seed = "2013" }
mean = { type = "f32", length = "groups", fill = "constant", value = "0.5" }
scale = { type = "f32", length = "groups", fill = "constant", value = "3.46" }
dx = { type = "f32", length = "groups * 4096", fill = "zero" }

[launch]
arguments = ["x", "dy", "gamma", "mean", "scale", "dx"]
grid  = ["groups"]
block = ["256"]
*/
extern "C" __global__ void group_norm_backward(const float* __restrict__ x, const float* __restrict__ dy, const float* __restrict__ gamma,
                                               const float* __restrict__ mean, const float* __restrict__ scale, float* __restrict__ dx) {
    __shared__ float sums[2][8];
    const int begin = blockIdx.x * 4096, channel = blockIdx.x % 32 * 4;
    const float m = mean[blockIdx.x], s = scale[blockIdx.x];
    float first = 0, second = 0;
#pragma unroll 4
    for (int i = threadIdx.x; i < 4096; i += 256) {
        const float g = dy[begin + i] * gamma[channel + i / 1024];
        first += g;
        second += g * (x[begin + i] - m) * s;
    }
    for (int step = 16; step > 0; step /= 2) {
        first += __shfl_xor_sync(0xffffffffu, first, step);
        second += __shfl_xor_sync(0xffffffffu, second, step);
    }
    if (threadIdx.x % 32 == 0) {
        sums[0][threadIdx.x / 32] = first;
        sums[1][threadIdx.x / 32] = second;
    }
    __syncthreads();
    first = second = 0;
    for (int i = 0; i < 8; ++i) {
        first += sums[0][i];
        second += sums[1][i];
    }
    first /= 4096;
    second /= 4096;
#pragma unroll 4
    for (int i = threadIdx.x; i < 4096; i += 256) {
        const float g = dy[begin + i] * gamma[channel + i / 1024];
        dx[begin + i] = s * (g - first - (x[begin + i] - m) * s * second);
    }
}
