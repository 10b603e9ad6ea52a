/*
[kernel]
title   = "Motion search of a video encoder: sums of absolute differences of 16 x 16 pixels at 15 x 15 places, the least one kept"

[parameters]
width = { default = 1280 }
height = { default = 336 }

[buffers]
current = { type = "u8", length = "width * height", fill = "random", seed = "729", below = "256" }
reference = { type = "u8", length = "(width + 16) * (height + 16)", fill = "random", seed = "730", below = "256" }
best = { type = "u32", length = "(width // 16) * (height // 16)", fill = "zero" }

[launch]
arguments = ["current", "reference", "best", "width", "width + 16"]
grid  = ["width // 16", "height // 16"]
block = ["15", "15"]
*/
extern "C" __global__ void sad_blocks(const unsigned char* __restrict__ current,
                                      const unsigned char* __restrict__ reference, unsigned* best, int width, int pitch) {
    __shared__ unsigned pixels[16][4], window[32][9];
    __shared__ unsigned least;
    const int thread = threadIdx.y * 15 + threadIdx.x;
    const unsigned char* from = current + blockIdx.y * 16 * width + blockIdx.x * 16;
    if (thread < 64)
        pixels[thread / 4][thread % 4] = *reinterpret_cast<const unsigned*>(from + thread / 4 * width + thread % 4 * 4);
    for (int i = thread; i < 256; i += 225)
        window[i / 8][i % 8] = *reinterpret_cast<const unsigned*>(reference + (blockIdx.y * 16 + i / 8) * pitch +
                                                                  blockIdx.x * 16 + i % 8 * 4);
    if (thread < 32) window[thread][8] = 0;
    if (thread == 0) least = ~0u;
    __syncthreads();
    const int word = threadIdx.x / 4, bytes = threadIdx.x % 4 * 8;
    unsigned sum = 0;
    for (int y = 0; y < 16; ++y) {
        unsigned low = window[threadIdx.y + y][word];
        for (int x = 0; x < 4; ++x) {
            const unsigned high = window[threadIdx.y + y][word + x + 1];
            sum += __vsadu4(pixels[y][x], __funnelshift_r(low, high, bytes));
            low = high;
        }
    }
    atomicMin(&least, sum << 8 | thread);
    __syncthreads();
    if (thread == 0) best[blockIdx.y * gridDim.x + blockIdx.x] = least;
}
