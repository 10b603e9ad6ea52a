/*
[kernel]
title   = "Corners of an image: products of gradients summed over 5 x 5, from a tile with its halo"

[parameters]
width = { default = 1024 }
height = { default = 768 }

[buffers]
image = { type = "f32", length = "width * height", fill = "random", seed = "1604" }
response = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["image", "response", "width", "height"]
grid  = ["width // 32", "height // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void harris_corners(const float* __restrict__ image, float* __restrict__ response, int width, int height) {
    __shared__ float tile[14][40];
    __shared__ float xx[12][36], yy[12][36], xy[12][36];
    const int x0 = blockIdx.x * 32 - 3, y0 = blockIdx.y * 8 - 3;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 14 * 38; i += 256) {
        const int x = min(max(x0 + i % 38, 0), width - 1), y = min(max(y0 + i / 38, 0), height - 1);
        tile[i / 38][i % 38] = image[y * width + x];
    }
    __syncthreads();
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 12 * 36; i += 256) {
        const int x = i % 36 + 1, y = i / 36 + 1;
        const float gx = tile[y][x + 1] - tile[y][x - 1], gy = tile[y + 1][x] - tile[y - 1][x];
        xx[y - 1][x - 1] = gx * gx;
        yy[y - 1][x - 1] = gy * gy;
        xy[y - 1][x - 1] = gx * gy;
    }
    __syncthreads();
    float a = 0, b = 0, c = 0;
#pragma unroll
    for (int j = 0; j < 5; ++j)
#pragma unroll
        for (int i = 0; i < 5; ++i) {
            a += xx[threadIdx.y + j][threadIdx.x + i];
            b += yy[threadIdx.y + j][threadIdx.x + i];
            c += xy[threadIdx.y + j][threadIdx.x + i];
        }
    response[(blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x] = a * b - c * c - 0.04f * (a + b) * (a + b);
}
