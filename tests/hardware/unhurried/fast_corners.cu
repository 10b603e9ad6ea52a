/*
[kernel]
title   = "Corners of an image: nine of sixteen pixels in a row on a circle brighter or darker than its middle"

[parameters]
width = { default = 528 }

[buffers]
image = { type = "u8", length = "width * 512", fill = "random", seed = "1821", below = "256" }
scores = { type = "u8", length = "width * 512", fill = "zero" }

[launch]
arguments = ["image", "scores", "width"]
grid  = ["ceil_div(width, 32)", "64"]
block = ["32", "8"]
*/
extern "C" __global__ void fast_corners(const unsigned char* __restrict__ image, unsigned char* __restrict__ scores, int width) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < 3 || y < 3 || x >= width - 3 || y >= 509) return;
    const unsigned char* at = image + y * width + x;
    const int p = at[0], limit = 60;
    const int up = at[-3 * width], down = at[3 * width], left = at[-3], right = at[3];
    const int bright = (up > p + limit) + (down > p + limit) + (left > p + limit) + (right > p + limit);
    const int dark = (up < p - limit) + (down < p - limit) + (left < p - limit) + (right < p - limit);
    if (bright < 2 && dark < 2) return;
    const int dx[16] = {0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1}, dy[16] = {-3, -3, -2, -1, 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3};
    unsigned brighter = 0, darker = 0;
    int sum = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        const int q = at[dy[k] * width + dx[k]];
        brighter |= (q > p + limit) << k;
        darker |= (q < p - limit) << k;
        sum += abs(q - p);
    }
    brighter |= brighter << 16;
    darker |= darker << 16;
    unsigned b = brighter, d = darker;
#pragma unroll
    for (int k = 1; k < 9; ++k) {
        b &= brighter >> k;
        d &= darker >> k;
    }
    if ((b | d) & 0xffffu) scores[y * width + x] = min(sum / 16, 255);
}
