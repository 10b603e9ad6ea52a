/*
[kernel]
title   = "Winograd convolution F(2 x 2, 3 x 3): the transform of input tiles of 4 x 4, channels side by side"

[parameters]
edge = { default = 56 }
channels = { default = 256 }
images = { default = 4 }

[buffers]
in = { type = "f32", length = "images * (edge + 2) * (edge + 2) * channels", fill = "random", seed = "434" }
out = { type = "f32", length = "16 * images * (edge // 2) * (edge // 2) * channels", fill = "zero" }

[launch]
arguments = ["in", "out", "edge", "channels"]
grid  = ["edge // 2 * (edge // 2)", "channels // 128", "images"]
block = ["128"]
*/
extern "C" __global__ void winograd_input(const float* __restrict__ in, float* __restrict__ out, int edge, int channels) {
    const int tiles = edge / 2, x = blockIdx.x % tiles, y = blockIdx.x / tiles;
    const int channel = blockIdx.y * 128 + threadIdx.x, padded = edge + 2;
    const float* own = in + ((size_t(blockIdx.z) * padded + y * 2) * padded + x * 2) * channels + channel;
    float d[4][4], t[4][4];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) d[i][j] = own[(i * padded + j) * channels];
    for (int j = 0; j < 4; ++j) {
        t[0][j] = d[0][j] - d[2][j];
        t[1][j] = d[1][j] + d[2][j];
        t[2][j] = d[2][j] - d[1][j];
        t[3][j] = d[1][j] - d[3][j];
    }
    const size_t plane = size_t(gridDim.z) * gridDim.x * channels;
    float* to = out + (size_t(blockIdx.z) * gridDim.x + blockIdx.x) * channels + channel;
    for (int i = 0; i < 4; ++i) {
        to[(i * 4) * plane] = t[i][0] - t[i][2];
        to[(i * 4 + 1) * plane] = t[i][1] + t[i][2];
        to[(i * 4 + 2) * plane] = t[i][2] - t[i][1];
        to[(i * 4 + 3) * plane] = t[i][1] - t[i][3];
    }
}
