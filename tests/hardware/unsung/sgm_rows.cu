/*
[kernel]
title   = "Semi-global matching along rows: each warp carries the path costs of 32 disparities from pixel to pixel"

[parameters]
rows = { default = 1056 }
width = { default = 48 }

[buffers]
costs = { type = "u8", length = "rows * width * 32", fill = "random", seed = "1961", below = "64" }
paths = { type = "u16", length = "rows * width * 32", fill = "zero" }

[launch]
arguments = ["costs", "paths", "rows", "width"]
grid  = ["ceil_div(rows, 4)"]
block = ["32", "4"]
*/
extern "C" __global__ void sgm_rows(const unsigned char* __restrict__ costs,
                                    unsigned short* __restrict__ paths, int rows, int width) {
    const int row = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
    if (row >= rows) return;
    int path = 0, least = 0;
    for (int x = 0; x < width; ++x) {
        const int at = (row * width + x) * 32 + lane;
        int below = __shfl_up_sync(0xffffffffu, path, 1), above = __shfl_down_sync(0xffffffffu, path, 1);
        if (lane == 0) below = 1 << 20;
        if (lane == 31) above = 1 << 20;
        path = costs[at] + min(min(path, least + 24), min(below, above) + 6) - least;
        least = path;
        for (int step = 16; step > 0; step >>= 1)
            least = min(least, __shfl_xor_sync(0xffffffffu, least, step));
        paths[at] = path;
    }
}
