/*
[kernel]
title   = "Tiles of a film that spreads: eight steps in shared memory, the outermost cells stand still"

[parameters]
tiles = { default = 1056 }

[buffers]
height = { type = "f32", length = "tiles * 1024", fill = "random", seed = "1608" }
out = { type = "f32", length = "tiles * 1024", fill = "zero" }

[launch]
arguments = ["height", "out"]
grid  = ["tiles"]
block = ["32", "8"]
*/
extern "C" __global__ void thin_film(const float* __restrict__ height, float* __restrict__ out) {
    __shared__ float film[32][33], next[32][33];
    const int x = threadIdx.x, first = blockIdx.x * 1024;
    for (int y = threadIdx.y; y < 32; y += 8) film[y][x] = next[y][x] = height[first + y * 32 + x];
    __syncthreads();
    for (int step = 0; step < 8; ++step) {
        for (int y = threadIdx.y; y < 32; y += 8)
            if (x > 0 && x < 31 && y > 0 && y < 31) {
                const float here = film[y][x];
                const float flow = film[y - 1][x] + film[y + 1][x] + film[y][x - 1] + film[y][x + 1] - 4.0f * here;
                next[y][x] = here + 0.1f * here * here * flow;
            }
        __syncthreads();
        for (int y = threadIdx.y; y < 32; y += 8) film[y][x] = next[y][x];
        __syncthreads();
    }
    for (int y = threadIdx.y; y < 32; y += 8) out[first + y * 32 + x] = film[y][x];
}
