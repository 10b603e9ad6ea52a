/*
[kernel]
title   = "Dilation of an image by 5 x 5: a tile with its halo in shared memory, rows first, then columns"

[parameters]
W = { default = 1920 }
H = { default = 1056 }

[buffers]
in = { type = "u8", length = "W * H", fill = "random", seed = "1051", below = "256" }
out = { type = "u8", length = "W * H", fill = "zero" }

[launch]
arguments = ["in", "out", "W", "H"]
grid  = ["ceil_div(W, 32)", "ceil_div(H, 16)"]
block = ["32", "16"]
*/
extern "C" __global__ void dilate_tile(const unsigned char* __restrict__ in, unsigned char* __restrict__ out, int w,
                                       int h) {
    __shared__ unsigned char tile[20][36], rows[20][32];
    const int left = blockIdx.x * 32 - 2, top = blockIdx.y * 16 - 2;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 20 * 36; i += 512) {
        const int x = left + i % 36, y = top + i / 36;
        tile[i / 36][i % 36] = x >= 0 && y >= 0 && x < w && y < h ? in[y * w + x] : 0;
    }
    __syncthreads();
    for (int row = threadIdx.y; row < 20; row += 16) {
        int most = 0;
        for (int k = 0; k < 5; ++k) most = max(most, (int)tile[row][threadIdx.x + k]);
        rows[row][threadIdx.x] = (unsigned char)most;
    }
    __syncthreads();
    const int x = left + 2 + threadIdx.x, y = top + 2 + threadIdx.y;
    if (x >= w || y >= h) return;
    int most = 0;
    for (int k = 0; k < 5; ++k) most = max(most, (int)rows[threadIdx.y + k][threadIdx.x]);
    out[y * w + x] = (unsigned char)most;
}
