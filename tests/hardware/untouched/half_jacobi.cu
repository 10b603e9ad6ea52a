/*
[kernel]
title   = "Five-point stencil in half2: six steps in shared memory with a shrinking border"

[parameters]
width = { default = 1024 }
height = { default = 1000 }

[buffers]
a = { type = "f16", length = "width * height", fill = "random", seed = "712" }
b = { type = "f16", length = "width * height", fill = "zero" }

[launch]
arguments = ["a", "b", "width", "height"]
grid  = ["width // 64", "ceil_div(height, 20)"]
block = ["38", "8"]
*/
#include <cuda_fp16.h>
extern "C" __global__ void half_jacobi(const __half2* __restrict__ a, __half2* __restrict__ b, int width, int height) {
    __shared__ __half2 cells[2][32][40];
    const int x0 = blockIdx.x * 32 - 3, y0 = blockIdx.y * 20 - 6, half_width = width / 2;
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int gx = min(max(x0 + int(threadIdx.x), 0), half_width - 1), gy = min(max(y0 + y, 0), height - 1);
        cells[0][y][threadIdx.x] = cells[1][y][threadIdx.x] = a[gy * half_width + gx];
    }
    __syncthreads();
    const __half2 weight = __float2half2_rn(0.24f), centre = __float2half2_rn(0.04f);
    int now = 0;
    for (int step = 1; step <= 6; ++step) {
        for (int y = threadIdx.y + step; y < 32 - step; y += 8)
            if (threadIdx.x > 0 && threadIdx.x < 37) {
                const __half2 here = cells[now][y][threadIdx.x];
                const __half2 left = __halves2half2(__high2half(cells[now][y][threadIdx.x - 1]), __low2half(here));
                const __half2 right = __halves2half2(__high2half(here), __low2half(cells[now][y][threadIdx.x + 1]));
                const __half2 sum = __hadd2(__hadd2(left, right), __hadd2(cells[now][y - 1][threadIdx.x], cells[now][y + 1][threadIdx.x]));
                cells[now ^ 1][y][threadIdx.x] = __hfma2(sum, weight, __hmul2(here, centre));
            }
        now ^= 1;
        __syncthreads();
    }
    for (int y = threadIdx.y + 6; y < 26; y += 8)
        if (threadIdx.x >= 3 && threadIdx.x < 35 && y0 + y < height)
            b[(y0 + y) * half_width + x0 + threadIdx.x] = cells[now][y][threadIdx.x];
}
