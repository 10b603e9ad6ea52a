/*
[kernel]
title   = "A grey image turned and scaled: each thread reads four bytes around a place of the input and blends them"

[parameters]
width = { default = 1536 }
height = { default = 704 }

[buffers]
image = { type = "u8", length = "width * height", fill = "random", seed = "1006", below = "256" }
turned = { type = "u8", length = "width * height", fill = "zero" }

[launch]
arguments = ["image", "turned", "width", "height"]
grid  = ["width // 32", "height // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void affine_warp(const unsigned char* __restrict__ image, unsigned char* __restrict__ turned, int width, int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const float u = 0.81f * x - 0.35f * y + 310.5f, v = 0.35f * x + 0.81f * y - 190.25f;
    const int left = int(floorf(u)), top = int(floorf(v));
    float grey = 0;
    if (left >= 0 && top >= 0 && left + 1 < width && top + 1 < height) {
        const unsigned char* from = image + top * width + left;
        const float fx = u - left, fy = v - top;
        const float upper = from[0] + fx * (float(from[1]) - from[0]);
        const float lower = from[width] + fx * (float(from[width + 1]) - from[width]);
        grey = upper + fy * (lower - upper);
    }
    turned[y * width + x] = (unsigned char)(grey + 0.5f);
}
