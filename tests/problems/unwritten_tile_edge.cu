/*
[kernel]
title = "A tile whose edge nobody loads"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["16", "16"]
*/

extern "C" __global__ void unwritten_tile_edge(float* out, const float* in) {
    __shared__ float tile[18][18];
    const int x = threadIdx.x + 1, y = threadIdx.y + 1;
    tile[y][x] = in[threadIdx.y * 16 + threadIdx.x];
#if FIXED
    if (x == 1) tile[y][0] = tile[y][17] = 0.0f;
#endif
    __syncthreads();
    out[threadIdx.y * 16 + threadIdx.x] = tile[y][x - 1] + tile[y][x + 1];  // expect: uninitialised_read
}
