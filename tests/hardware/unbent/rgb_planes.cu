/*
[kernel]
title   = "Pixels of three bytes as planes of luma and two chromas, in integers"

[parameters]
pixels = { default = 540672 }

[buffers]
rgb = { type = "u8", length = "pixels * 3", fill = "random", seed = "1601", below = "256" }
planes = { type = "u8", length = "pixels * 3", fill = "zero" }

[launch]
arguments = ["rgb", "planes", "pixels"]
grid  = ["ceil_div(pixels, 256)"]
block = ["256"]
*/
extern "C" __global__ void rgb_planes(const unsigned char* __restrict__ rgb, unsigned char* __restrict__ planes,
                                      int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    planes[i] = (unsigned char)((66 * r + 129 * g + 25 * b + 4224) >> 8);
    planes[pixels + i] = (unsigned char)((-38 * r - 74 * g + 112 * b + 32896) >> 8);
    planes[2 * pixels + i] = (unsigned char)((112 * r - 94 * g - 18 * b + 32896) >> 8);
}
