/*
[kernel]
title   = "A layer of pixels with coverage drawn over another: four channels of 8 bits, two pixels per thread"

[parameters]
W = { default = 1920 }
H = { default = 1080 }

[buffers]
over = { type = "u32", length = "W * H", fill = "random", seed = "1271", below = "4294967295" }
under = { type = "u32", length = "W * H", fill = "random", seed = "1272", below = "4294967295" }

[launch]
arguments = ["over", "under", "W", "H"]
grid  = ["ceil_div(W, 64)", "ceil_div(H, 8)"]
block = ["32", "8"]
*/
__device__ unsigned blend(unsigned front, unsigned back) {
    const unsigned cover = front >> 24, rest = 255 - cover;
    unsigned out = 0;
    for (int c = 0; c < 32; c += 8) {
        const unsigned sum = (front >> c & 255) * cover + (back >> c & 255) * rest + 128;
        out |= (sum + (sum >> 8)) >> 8 << c;
    }
    return out;
}
extern "C" __global__ void blend_rgba(const uint2* over, uint2* under, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (2 * x >= w || y >= h) return;
    const int i = y * (w / 2) + x;
    const uint2 front = over[i];
    uint2 back = under[i];
    if (front.x >> 24 == 0 && front.y >> 24 == 0) return;
    back.x = blend(front.x, back.x);
    back.y = blend(front.y, back.y);
    under[i] = back;
}
