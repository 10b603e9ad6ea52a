/*
[kernel]
title   = "Sobel's gradient of a byte image from a tile with a border in shared memory, thresholded"

[parameters]
W = { default = 2048 }
H = { default = 1056 }

[buffers]
in = { type = "u8", length = "W * H", fill = "random", seed = "508", below = "256" }
out = { type = "u8", length = "W * H", fill = "zero" }

[launch]
arguments = ["in", "out", "W", "H"]
grid  = ["W // 32", "H // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void sobel_edges(const unsigned char* __restrict__ in, unsigned char* __restrict__ out, int W, int H) {
    __shared__ int tile[10][34];
    const int left = blockIdx.x * 32 - 1, top = blockIdx.y * 8 - 1;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 10 * 34; i += 256) {
        const int x = min(max(left + i % 34, 0), W - 1), y = min(max(top + i / 34, 0), H - 1);
        tile[i / 34][i % 34] = in[y * W + x];
    }
    __syncthreads();
    const int x = threadIdx.x + 1, y = threadIdx.y + 1;
    const int gx = tile[y - 1][x + 1] + 2 * tile[y][x + 1] + tile[y + 1][x + 1] - tile[y - 1][x - 1] - 2 * tile[y][x - 1] -
                   tile[y + 1][x - 1];
    const int gy = tile[y + 1][x - 1] + 2 * tile[y + 1][x] + tile[y + 1][x + 1] - tile[y - 1][x - 1] - 2 * tile[y - 1][x] -
                   tile[y - 1][x + 1];
    out[(top + y) * W + left + x] = gx * gx + gy * gy > 40000 ? 255 : 0;
}
