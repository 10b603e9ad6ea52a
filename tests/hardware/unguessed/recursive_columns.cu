/*
[kernel]
title   = "A recursive Gaussian filter along columns: each thread runs down and up its column with two earlier values"

[parameters]
W = { default = 8448 }
H = { default = 96 }

[buffers]
picture = { type = "u32", length = "W * H", fill = "random", seed = "1351", below = "16777216" }
filtered = { type = "f32", length = "W * H", fill = "zero" }

[launch]
arguments = ["picture", "filtered", "W", "H", "0.05", "0.06", "-1.2", "0.36"]
grid  = ["ceil_div(W, 64)"]
block = ["64"]
*/
extern "C" __global__ void recursive_columns(const unsigned* picture, float* filtered, int w, int h, float a0,
                                             float a1, float b1, float b2) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= w) return;
    float before = 0.0f, out_1 = 0.0f, out_2 = 0.0f;
    for (int y = 0; y < h; ++y) {
        const float in = (picture[y * w + x] & 255) / 255.0f;
        const float out = a0 * in + a1 * before - b1 * out_1 - b2 * out_2;
        filtered[y * w + x] = out;
        before = in;
        out_2 = out_1;
        out_1 = out;
    }
    before = out_1 = out_2 = 0.0f;
    for (int y = h - 1; y >= 0; --y) {
        const float in = (picture[y * w + x] & 255) / 255.0f;
        const float out = a0 * in + a1 * before - b1 * out_1 - b2 * out_2;
        filtered[y * w + x] += out;
        before = in;
        out_2 = out_1;
        out_1 = out;
    }
}
