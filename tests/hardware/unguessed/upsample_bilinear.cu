/*
[kernel]
title   = "A batch of planes enlarged between their pixels, corners aligned: each thread makes one pixel of four planes"

[parameters]
planes = { default = 16 }
H = { default = 96 }
W = { default = 88 }

[buffers]
small = { type = "f32", length = "planes * H * W", fill = "random", seed = "1371" }
large = { type = "f32", length = "planes * H * W * 4", fill = "zero" }

[launch]
arguments = ["small", "large", "planes", "H", "W", "2 * H", "2 * W"]
grid  = ["ceil_div(4 * H * W, 256)", "planes // 4"]
block = ["256"]
*/
extern "C" __global__ void upsample_bilinear(const float* __restrict__ small, float* __restrict__ large, int planes,
                                             int h, int w, int out_h, int out_w) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= out_h * out_w) return;
    const int y = i / out_w, x = i % out_w;
    const float at_y = y * ((h - 1) / (float)(out_h - 1)), at_x = x * ((w - 1) / (float)(out_w - 1));
    const int y0 = (int)at_y, x0 = (int)at_x;
    const int down = y0 < h - 1 ? w : 0, right = x0 < w - 1 ? 1 : 0;
    const float share_y = at_y - y0, share_x = at_x - x0;
    for (int p = blockIdx.y * 4; p < blockIdx.y * 4 + 4 && p < planes; ++p) {
        const float* from = small + (size_t)p * h * w + y0 * w + x0;
        const float top = from[0] + share_x * (from[right] - from[0]);
        const float bottom = from[down] + share_x * (from[down + right] - from[down]);
        large[(size_t)p * out_h * out_w + i] = top + share_y * (bottom - top);
    }
}
