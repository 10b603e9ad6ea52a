/*
[kernel]
title   = "Group normalization: mean and spread of a group of channels by shuffles, then scale and shift per channel"

[parameters]
groups = { default = 1056 }
channels = { default = 4, macro = true }
pixels = { default = 784, macro = true }

[buffers]
x = { type = "f32", length = "groups * channels * pixels", fill = "random", seed = "716" }
scale = { type = "f32", length = "32 * channels", fill = "random", seed = "717" }
shift = { type = "f32", length = "32 * channels", fill = "random", seed = "718" }
y = { type = "f32", length = "groups * channels * pixels", fill = "zero" }

[launch]
arguments = ["x", "scale", "shift", "y"]
grid  = ["groups"]
block = ["256"]
*/
extern "C" __global__ void group_norm(const float* __restrict__ x, const float* __restrict__ scale,
                                      const float* __restrict__ shift, float* __restrict__ y) {
    __shared__ float sums[8], squares[8];
    const int size = channels * pixels, group = blockIdx.x % 32;
    const float* from = x + (size_t)blockIdx.x * size;
    float* to = y + (size_t)blockIdx.x * size;
    float sum = 0, square = 0;
    for (int i = threadIdx.x; i < size; i += 256) {
        const float value = from[i];
        sum += value;
        square += value * value;
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
        square += __shfl_xor_sync(0xffffffffu, square, step);
    }
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = sum;
        squares[threadIdx.x / 32] = square;
    }
    __syncthreads();
    sum = square = 0;
    for (int w = 0; w < 8; ++w) {
        sum += sums[w];
        square += squares[w];
    }
    const float mean = sum / size, spread = rsqrtf(square / size - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < size; i += 256) {
        const int channel = group * channels + i / pixels;
        to[i] = (from[i] - mean) * spread * scale[channel] + shift[channel];
    }
}
