/*
[kernel]
title   = "Flood in tiles of 32 x 32 cells: water spreads to lower ground until no cell of the tile changes"

[parameters]
tiles = { default = 264 }

[buffers]
heights = { type = "u32", length = "tiles * 1024", fill = "random", seed = "2641", below = "100" }
wet = { type = "u32", length = "tiles * 1024", fill = "zero" }
passes = { type = "u32", length = "tiles", fill = "zero" }

[launch]
arguments = ["heights", "wet", "passes"]
grid  = ["tiles"]
block = ["32", "8"]
*/
extern "C" __global__ void tile_flood(const unsigned* __restrict__ heights, unsigned* __restrict__ wet,
                                      unsigned* __restrict__ passes) {
    __shared__ unsigned water[34][34];
    const int x = threadIdx.x + 1;
    const unsigned* mine = heights + blockIdx.x * 1024;
    for (int y = threadIdx.y; y < 34; y += 8) {
        water[y][x] = 0;
        if (threadIdx.x < 2) water[y][threadIdx.x * 33] = 0;
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        if (mine[y * 32 + threadIdx.x] < 2) water[y + 1][x] = 1;
    int pass = 0;
    bool changed = true;
    while (__syncthreads_or(changed)) {
        changed = false;
        unsigned grows = 0;
        for (int y = threadIdx.y; y < 32; y += 8) {
            if (water[y + 1][x] || mine[y * 32 + threadIdx.x] >= 60) continue;
            if (water[y][x] | water[y + 2][x] | water[y + 1][x - 1] | water[y + 1][x + 1]) grows |= 1u << y;
        }
        __syncthreads();
        for (int y = threadIdx.y; y < 32; y += 8)
            if (grows >> y & 1u) {
                water[y + 1][x] = 1;
                changed = true;
            }
        if (++pass == 24) break;
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        wet[blockIdx.x * 1024 + y * 32 + threadIdx.x] = water[y + 1][x] != 0;
    if (threadIdx.x == 0 && threadIdx.y == 0) passes[blockIdx.x] = pass;
}
