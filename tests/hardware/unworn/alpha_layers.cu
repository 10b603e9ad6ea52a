/*
[kernel]
title   = "Layers of glass, from front to back, until a pixel lets nothing through: one pixel per thread"

[parameters]
pixels = { default = 135168 }
layers = { default = 24 }

[buffers]
alpha = { type = "f32", length = "pixels * layers", fill = "random", seed = "2661" }
shade = { type = "f32", length = "layers * 64", fill = "random", seed = "2662" }
picture = { type = "f32", length = "pixels", fill = "zero" }

[launch]
arguments = ["alpha", "shade", "picture", "pixels", "layers"]
grid  = ["ceil_div(pixels, 256)"]
block = ["256"]
*/
extern "C" __global__ void alpha_layers(const float* __restrict__ alpha, const float* __restrict__ shade,
                                        float* __restrict__ picture, int pixels, int layers) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    float left = 1, colour = 0;
    for (int layer = 0; layer < layers; ++layer) {
        const float a = alpha[layer * pixels + i];
        if (a < 0.125f) continue;
        colour += left * a * shade[layer * 64 + (i & 63)];
        left *= 1 - a;
        if (left < 0.004f) break;
    }
    picture[i] = colour;
}
