/*
[kernel]
title   = "Hue, saturation and value of each pixel"

[parameters]
n = { default = 811008 }

[buffers]
rgb = { type = "f32", length = "n * 3", fill = "random", seed = "1731" }
hsv = { type = "f32", length = "n * 3", fill = "zero" }

[launch]
arguments = ["rgb", "hsv", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
*/
extern "C" __global__ void hsv_pixels(const float* __restrict__ rgb, float* __restrict__ hsv, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    const float most = fmaxf(r, fmaxf(g, b)), least = fminf(r, fminf(g, b)), range = most - least;
    float hue = 0.0f;
    if (range > 0.0f) {
        if (most == r) hue = (g - b) / range + (g < b ? 6.0f : 0.0f);
        else if (most == g) hue = (b - r) / range + 2.0f;
        else hue = (r - g) / range + 4.0f;
    }
    hsv[3 * i] = hue / 6.0f;
    hsv[3 * i + 1] = most > 0.0f ? range / most : 0.0f;
    hsv[3 * i + 2] = most;
}
