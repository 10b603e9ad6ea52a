/*
[kernel]
title   = "Structural similarity of two images: sums over windows of 8 x 8, rows first in shared memory"

[parameters]
width = { default = 1024 }
height = { default = 768 }

[buffers]
a = { type = "f32", length = "width * height", fill = "random", seed = "906" }
b = { type = "f32", length = "width * height", fill = "random", seed = "907" }
similarity = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["a", "b", "similarity", "width", "height"]
grid  = ["width // 32", "height // 16"]
block = ["32", "8"]
*/
extern "C" __global__ void similarity_windows(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ similarity,
                                              int width, int height) {
    __shared__ float sums[5][24][33];
    const int x = blockIdx.x * 32 + threadIdx.x, top = blockIdx.y * 16;
    for (int row = threadIdx.y; row < 23; row += 8) {
        const int y = min(top + row, height - 1);
        float s[5] = {};
        for (int i = 0; i < 8; ++i) {
            const int at = y * width + min(x + i, width - 1);
            const float p = a[at], q = b[at];
            s[0] += p, s[1] += q, s[2] += p * p, s[3] += q * q, s[4] += p * q;
        }
        for (int k = 0; k < 5; ++k) sums[k][row][threadIdx.x] = s[k];
    }
    __syncthreads();
    for (int row = threadIdx.y; row < 16; row += 8) {
        float s[5] = {};
        for (int i = 0; i < 8; ++i)
            for (int k = 0; k < 5; ++k) s[k] += sums[k][row + i][threadIdx.x];
        for (int k = 0; k < 5; ++k) s[k] *= 1.0f / 64;
        const float both = s[0] * s[1], squares = s[0] * s[0] + s[1] * s[1];
        const float up = (2 * both + 1e-4f) * (2 * (s[4] - both) + 9e-4f);
        const float down = (squares + 1e-4f) * (s[2] + s[3] - squares + 9e-4f);
        similarity[(top + row) * width + x] = up / down;
    }
}
