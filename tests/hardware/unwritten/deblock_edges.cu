/*
[kernel]
title   = "A deblocking filter: pixels on both sides of the vertical edges of blocks of eight are smoothed where they differ little"

[parameters]
width = { default = 1920 }
height = { default = 1056 }

[buffers]
image = { type = "u8", length = "width * height", fill = "random", seed = "1616", below = "64" }

[launch]
arguments = ["image", "width"]
grid  = ["3", "height // 4"]
block = ["80", "4"]
*/
extern "C" __global__ void deblock_edges(unsigned char* image, int width) {
    const int edge = blockIdx.x * 80 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (edge == 0) return;
    unsigned char* at = image + y * width + edge * 8;
    const int p2 = at[-3], p1 = at[-2], p0 = at[-1], q0 = at[0], q1 = at[1], q2 = at[2];
    if (abs(p0 - q0) >= 28 || abs(p1 - p0) >= 18 || abs(q1 - q0) >= 18) return;
    at[-1] = (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3;
    at[0] = (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3;
    at[-2] = (p2 + p1 + p0 + q0 + 2) >> 2;
    at[1] = (p0 + q0 + q1 + q2 + 2) >> 2;
}
