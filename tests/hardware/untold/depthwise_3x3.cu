/*
[kernel]
title   = "A filter of 3 x 3 for each channel in half precision: channels innermost, a thread has two channels and walks along a row"

[parameters]
height = { default = 56 }
channels = { default = 256, macro = true }
images = { default = 4 }

[buffers]
input = { type = "f16", length = "images * (height + 2) * 58 * channels", fill = "random", seed = "1419" }
weights = { type = "f16", length = "9 * channels", fill = "random", seed = "1420" }
bias = { type = "f16", length = "channels", fill = "random", seed = "1421" }
output = { type = "f16", length = "images * height * 56 * channels", fill = "zero" }

[launch]
arguments = ["input", "weights", "bias", "output", "height"]
grid  = ["images * height", "4"]
block = ["channels // 2"]
*/
#include <cuda_fp16.h>
extern "C" __global__ void depthwise_3x3(const __half2* __restrict__ input, const __half2* __restrict__ weights,
                                         const __half2* __restrict__ bias, __half2* __restrict__ output, int height) {
    const int pairs = channels / 2, c = threadIdx.x, image = blockIdx.x / height, y = blockIdx.x % height, x0 = blockIdx.y * 14;
    __half2 w[9];
#pragma unroll
    for (int k = 0; k < 9; ++k) w[k] = weights[k * pairs + c];
    const __half2 zero = __float2half2_rn(0), start = bias[c];
    const __half2* rows = input + ((image * (height + 2) + y) * 58 + x0) * pairs + c;
    __half2 v[3][3];
#pragma unroll
    for (int r = 0; r < 3; ++r) {
        v[r][1] = rows[r * 58 * pairs];
        v[r][2] = rows[(r * 58 + 1) * pairs];
    }
    for (int x = 0; x < 14; ++x) {
        __half2 sum = start;
#pragma unroll
        for (int r = 0; r < 3; ++r) {
            v[r][0] = v[r][1];
            v[r][1] = v[r][2];
            v[r][2] = rows[(r * 58 + x + 2) * pairs];
#pragma unroll
            for (int k = 0; k < 3; ++k) sum = __hfma2(v[r][k], w[r * 3 + k], sum);
        }
        output[((image * height + y) * 56 + x0 + x) * pairs + c] = __hmax2(sum, zero);
    }
}
