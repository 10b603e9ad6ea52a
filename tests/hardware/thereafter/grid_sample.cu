/*
[kernel]
title   = "Samples of an image at given places, bilinear, zero outside: a thread per place, all of 8 channels"

[parameters]
places = { default = 67584 }

[buffers]
image = { type = "f32", length = "8 * 256 * 256", fill = "random", seed = "1112" }
grid = { type = "f32", length = "places * 2", fill = "formula", value = "2 * random(100000) / 100000 - 1", seed = "1113" }
sampled = { type = "f32", length = "8 * places", fill = "zero" }

[launch]
arguments = ["image", "grid", "sampled", "places", "i32=256", "i32=256"]
grid  = ["places // 256"]
block = ["256"]
*/
extern "C" __global__ void grid_sample(const float* __restrict__ image, const float2* __restrict__ grid,
                                       float* __restrict__ sampled, int places, int height, int width) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float2 at = grid[i];
    const float x = ((at.x + 1) * width - 1) / 2, y = ((at.y + 1) * height - 1) / 2;
    const int west = int(floorf(x)), north = int(floorf(y)), east = west + 1, south = north + 1;
    const float nw = (east - x) * (south - y), ne = (x - west) * (south - y), sw = (east - x) * (y - north), se = (x - west) * (y - north);
    const bool w = west >= 0 && west < width, e = east >= 0 && east < width, n = north >= 0 && north < height, s = south >= 0 && south < height;
    for (int channel = 0; channel < 8; ++channel) {
        const float* plane = image + channel * height * width;
        float sum = 0;
        if (n && w) sum += plane[north * width + west] * nw;
        if (n && e) sum += plane[north * width + east] * ne;
        if (s && w) sum += plane[south * width + west] * sw;
        if (s && e) sum += plane[south * width + east] * se;
        sampled[channel * places + i] = sum;
    }
}
