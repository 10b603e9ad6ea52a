/*
[kernel]
title   = "Tiles turned by 90 degrees through shared memory, four rows a thread: a short kernel with one barrier"

[parameters]
side = { default = 2048 }

[buffers]
in = { type = "u32", length = "side * side", fill = "random", seed = "931", below = "65536" }
out = { type = "u32", length = "side * side", fill = "zero" }

[launch]
arguments = ["in", "out", "side"]
grid  = ["side // 32", "side // 32"]
block = ["32", "8"]
*/
extern "C" __global__ void tile_rotate(const unsigned* __restrict__ in, unsigned* __restrict__ out, int side) {
    __shared__ unsigned tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int row = 0; row < 32; row += 8) tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * side + x];
    __syncthreads();
    const int to_x = side - 32 - blockIdx.y * 32 + threadIdx.x, to_y = blockIdx.x * 32 + threadIdx.y;
    for (int row = 0; row < 32; row += 8)
        out[(to_y + row) * side + to_x] = tile[31 - threadIdx.x][threadIdx.y + row];
}
