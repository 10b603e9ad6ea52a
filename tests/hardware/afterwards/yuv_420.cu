/*
[kernel]
title   = "Interleaved RGB bytes to a plane of luma and two of chroma at half the size: a thread makes a square of four pixels"

[parameters]
width = { default = 2048 }
height = { default = 1024 }

[buffers]
rgb = { type = "u8", length = "3 * width * height", fill = "random", below = "256", seed = "901" }
luma = { type = "u8", length = "width * height", fill = "zero" }
cb = { type = "u8", length = "width * height // 4", fill = "zero" }
cr = { type = "u8", length = "width * height // 4", fill = "zero" }

[launch]
arguments = ["rgb", "luma", "cb", "cr", "width"]
grid  = ["width // 64", "height // 16"]
block = ["32", "8"]
*/
extern "C" __global__ void yuv_420(const unsigned char* __restrict__ rgb, unsigned char* __restrict__ luma, unsigned char* __restrict__ cb,
                                   unsigned char* __restrict__ cr, int width) {
    const int x = (blockIdx.x * 32 + threadIdx.x) * 2, y = (blockIdx.y * 8 + threadIdx.y) * 2;
    int blue = 0, red = 0;
    for (int dy = 0; dy < 2; ++dy) {
        int made[2];
        for (int dx = 0; dx < 2; ++dx) {
            const unsigned char* pixel = rgb + 3 * ((y + dy) * width + x + dx);
            const int r = pixel[0], g = pixel[1], b = pixel[2];
            made[dx] = (77 * r + 150 * g + 29 * b + 128) >> 8;
            blue += b - made[dx];
            red += r - made[dx];
        }
        *reinterpret_cast<uchar2*>(luma + (y + dy) * width + x) = make_uchar2(made[0], made[1]);
    }
    const int at = y / 2 * (width / 2) + x / 2;
    cb[at] = min(max(128 + (blue * 144 >> 10), 0), 255);
    cr[at] = min(max(128 + (red * 183 >> 10), 0), 255);
}
