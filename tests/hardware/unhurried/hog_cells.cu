/*
[kernel]
title   = "Histograms of gradients in nine directions, a cell of 8 x 8 pixels for each eight lanes, added in shared memory"

[parameters]
width = { default = 704 }

[buffers]
image = { type = "f32", length = "width * 384", fill = "random", seed = "1837" }
cells = { type = "f32", length = "width // 8 * 48 * 9", fill = "zero" }

[launch]
arguments = ["image", "cells", "width"]
grid  = ["width // 64", "48"]
block = ["64"]
*/
extern "C" __global__ void hog_cells(const float* __restrict__ image, float* __restrict__ cells, int width) {
    __shared__ float bins[8][9];
    for (int i = threadIdx.x; i < 72; i += 64) bins[i / 9][i % 9] = 0;
    __syncthreads();
    const int x = blockIdx.x * 64 + threadIdx.x, left = max(x - 1, 0), right = min(x + 1, width - 1);
#pragma unroll 2
    for (int j = 0; j < 8; ++j) {
        const int y = blockIdx.y * 8 + j, up = max(y - 1, 0), down = min(y + 1, 383);
        const float dx = image[y * width + right] - image[y * width + left], dy = image[down * width + x] - image[up * width + x];
        const float size = sqrtf(dx * dx + dy * dy);
        float angle = atan2f(dy, dx) * (9.0f / 3.14159265f);
        if (angle < 0) angle += 9.0f;
        const float low = floorf(angle), part = angle - low;
        const int bin = int(low) % 9;
        atomicAdd(&bins[threadIdx.x / 8][bin], size * (1 - part));
        atomicAdd(&bins[threadIdx.x / 8][(bin + 1) % 9], size * part);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 72; i += 64) cells[(blockIdx.y * (width / 8) + blockIdx.x * 8) * 9 + i] = bins[i / 9][i % 9];
}
