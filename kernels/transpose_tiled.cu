/*
[kernel]
title   = "Transpose through a shared-memory tile"
subject = "Shared-memory banks"
lesson  = "A column of a 32-wide tile is in a single bank: 32 wavefronts per request (ideal 1). One padding element per row spreads it over all banks."
views   = ["banks", "sectors", "occupancy"]

[parameters]
W    = { default = 1024, min = 8, max = 8192, step = 8, help = "columns of the input" }
H    = { default = 1024, min = 8, max = 8192, step = 8, help = "rows of the input" }
TILE = { default = 32, values = [8, 16, 32], macro = true, help = "tile edge, in elements" }
PAD  = { default = 0, min = 0, max = 4, macro = true, help = "unused elements at the end of each tile row" }

[buffers]
output = { type = "f32", length = "W * H", fill = "zero" }
input  = { type = "f32", length = "W * H", fill = "iota" }

[launch]
arguments = ["output", "input", "W", "H"]
grid  = ["ceil_div(W, TILE)", "ceil_div(H, TILE)"]
block = ["TILE", "TILE"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)  -- output has W rows of H elements
    return input[(i % H) * W + i // H]
end
'''
*/
#ifndef TILE
#define TILE 32
#endif
#ifndef PAD
#define PAD 0
#endif

// Each block copies one TILE x TILE tile. It reads rows of the input and writes rows of the output, so both
// global accesses are coalesced. The transpose happens in shared memory.
extern "C" __global__ void transpose_tiled(float* output, const float* input, int W, int H) {
    __shared__ float tile[TILE][TILE + PAD];

    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (column < W && row < H) {
        tile[threadIdx.y][threadIdx.x] = input[row * W + column];  // a warp fills one row of the tile
    }
    __syncthreads();

    // The tile's block coordinates are swapped in the output.
    column = blockIdx.y * TILE + threadIdx.x;
    row = blockIdx.x * TILE + threadIdx.y;
    if (column < H && row < W) {
        output[row * H + column] = tile[threadIdx.x][threadIdx.y];  // and reads one column: bank conflict
    }
}
