/*
[kernel]
title   = "Colours from the raw pixels of a Bayer sensor, bilinear: a thread per pixel, edges repeated"

[parameters]
width = { default = 1056 }
height = { default = 768 }

[buffers]
raw = { type = "u16", length = "width * height", fill = "random", seed = "1301", below = "1024" }
colours = { type = "u16", length = "width * height * 3", fill = "zero" }

[launch]
arguments = ["raw", "colours", "width", "height"]
grid  = ["width // 32", "height // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void demosaic(const unsigned short* __restrict__ raw, unsigned short* __restrict__ colours, int width,
                                    int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    auto at = [&](int dx, int dy) {
        const int u = min(max(x + dx, 0), width - 1), v = min(max(y + dy, 0), height - 1);
        return int(raw[v * width + u]);
    };
    const int centre = at(0, 0), across = at(-1, 0) + at(1, 0), along = at(0, -1) + at(0, 1);
    const int corners = at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1);
    int red, green, blue;
    if (y % 2 == 0 && x % 2 == 0) {
        red = centre;
        green = (across + along) / 4;
        blue = corners / 4;
    } else if (y % 2 == 1 && x % 2 == 1) {
        red = corners / 4;
        green = (across + along) / 4;
        blue = centre;
    } else {
        green = centre;
        red = (y % 2 == 0 ? across : along) / 2;
        blue = (y % 2 == 0 ? along : across) / 2;
    }
    unsigned short* out = colours + (y * width + x) * 3;
    out[0] = red;
    out[1] = green;
    out[2] = blue;
}
