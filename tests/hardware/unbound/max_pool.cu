/*
[kernel]
title   = "Largest of 3 x 3 pixels at every second place of each channel, and where it was"

[parameters]
channels = { default = 96 }

[buffers]
images = { type = "f32", length = "channels * 112 * 112", fill = "random", seed = "1716" }
pooled = { type = "f32", length = "channels * 56 * 56", fill = "zero" }
places = { type = "u8", length = "channels * 56 * 56", fill = "zero" }

[launch]
arguments = ["images", "pooled", "places"]
grid  = ["7", "channels"]
block = ["56", "8"]
*/
extern "C" __global__ void max_pool(const float* __restrict__ images, float* __restrict__ pooled, unsigned char* __restrict__ places) {
    const int x = threadIdx.x, y = blockIdx.x * 8 + threadIdx.y;
    const float* image = images + blockIdx.y * 112 * 112;
    float most = -1e30f;
    int place = 0;
#pragma unroll
    for (int j = 0; j < 3; ++j)
#pragma unroll
        for (int i = 0; i < 3; ++i) {
            const int u = 2 * x + i - 1, v = 2 * y + j - 1;
            if (u < 0 || v < 0) continue;
            const float p = image[v * 112 + u];
            if (p > most) {
                most = p;
                place = j * 3 + i;
            }
        }
    const int at = (blockIdx.y * 56 + y) * 56 + x;
    pooled[at] = most;
    places[at] = place;
}
