/*
[kernel]
title   = "Disparities by the census transform: bits of a 5 x 5 window in shared memory, the nearest of 64 places by differing bits"

[parameters]
width = { default = 1056 }
height = { default = 264 }

[buffers]
left = { type = "u8", length = "(width + 4) * (height + 4)", fill = "random", seed = "1317", below = "256" }
right = { type = "u8", length = "(width + 4) * (height + 4)", fill = "random", seed = "1318", below = "256" }
disparity = { type = "u8", length = "width * height", fill = "zero" }

[launch]
arguments = ["left", "right", "disparity", "width"]
grid  = ["width // 96", "height"]
block = ["96"]
*/
__device__ unsigned census(const unsigned char* window, int pitch) {
    const int centre = window[2 * pitch + 2];
    unsigned bits = 0;
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 5; ++x) bits = bits * 2 + (window[y * pitch + x] > centre);
    return bits;
}
extern "C" __global__ void census_stereo(const unsigned char* __restrict__ left, const unsigned char* __restrict__ right,
                                         unsigned char* __restrict__ disparity, int width) {
    __shared__ unsigned codes[160];
    const int pitch = width + 4, y = blockIdx.y, x = blockIdx.x * 96 + threadIdx.x;
    for (int i = threadIdx.x; i < 160; i += 96)
        codes[i] = census(right + y * pitch + max(int(blockIdx.x) * 96 + i - 64, 0), pitch);
    const unsigned own = census(left + y * pitch + x, pitch);
    __syncthreads();
    int best = 0, least = 99;
    for (int d = 0; d < 64; ++d) {
        const int cost = __popc(own ^ codes[threadIdx.x + 64 - d]);
        if (cost < least) {
            least = cost;
            best = d;
        }
    }
    disparity[y * width + x] = best;
}
