/*
[kernel]
title   = "Corners of a picture: gradients in a 3 by 3 window give a response, only inside of the border"

[parameters]
width = { default = 725 }
height = { default = 413 }

[buffers]
picture = { type = "f32", length = "width * height", fill = "random", seed = "1541" }
response = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["picture", "response", "width", "height"]
grid  = ["ceil_div(width, 16)", "ceil_div(height, 16)"]
block = ["16", "16"]
*/
extern "C" __global__ void harris_corners(const float* __restrict__ picture, float* __restrict__ response, int width,
                                          int height) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return;
    float xx = 0, xy = 0, yy = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const float* at = picture + (y + dy) * width + x + dx;
            const float gx = at[1] - at[-1], gy = at[width] - at[-width];
            xx += gx * gx;
            xy += gx * gy;
            yy += gy * gy;
        }
    const float trace = xx + yy;
    response[y * width + x] = xx * yy - xy * xy - 0.05f * trace * trace;
}
