/*
[kernel]
title   = "Colour blocks of 4 x 4 pixels to two end colours and two bits each: 16 lanes per block, extremes by shuffles"

[parameters]
blocks = { default = 33792 }

[buffers]
pixels = { type = "u32", length = "blocks * 16", fill = "random", seed = "1341", below = "16777216" }
packed = { type = "u32", length = "blocks * 2", fill = "zero" }

[launch]
arguments = ["pixels", "packed", "blocks"]
grid  = ["ceil_div(blocks, 16)"]
block = ["256"]
*/
extern "C" __global__ void dxt_blocks(const unsigned* __restrict__ pixels, unsigned* __restrict__ packed,
                                      int blocks) {
    const int block = blockIdx.x * 16 + threadIdx.x / 16, lane = threadIdx.x % 16;
    if (block >= blocks) return;
    const unsigned pixel = pixels[block * 16 + lane];
    const int red = pixel & 255, green = pixel >> 8 & 255, blue = pixel >> 16 & 255;
    const int light = red * 77 + green * 150 + blue * 29;
    int low = light * 16 + lane, high = low;
    for (int by = 8; by > 0; by /= 2) {
        low = min(low, __shfl_xor_sync(0xffffffffu, low, by));
        high = max(high, __shfl_xor_sync(0xffffffffu, high, by));
    }
    const unsigned five_six = (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3;
    const unsigned first = __shfl_sync(0xffffffffu, five_six, (threadIdx.x & 16) + (high & 15));
    const unsigned second = __shfl_sync(0xffffffffu, five_six, (threadIdx.x & 16) + (low & 15));
    const int span = max((high >> 4) - (low >> 4), 1);
    const int step = ((light - (low >> 4)) * 3 + span / 2) / span;
    const unsigned code = step == 3 ? 0 : step == 0 ? 1 : step == 2 ? 2 : 3;
    unsigned bits = code << 2 * lane;
    for (int by = 8; by > 0; by /= 2) bits |= __shfl_xor_sync(0xffffffffu, bits, by);
    if (lane == 0) {
        packed[block * 2] = first << 16 | second;
        packed[block * 2 + 1] = bits;
    }
}
