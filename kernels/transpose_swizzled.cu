/*
[kernel]
title   = "Transpose through a swizzled tile"
subject = "Shared-memory banks"
lesson  = "Column c of row r is stored at column c XOR r. Each tile column then spans all banks: no conflict and no padding."
views   = ["banks", "sectors", "source"]

[parameters]
W    = { default = 1024, min = 32, max = 8192, step = 32, help = "columns of the input" }
H    = { default = 1024, min = 32, max = 8192, step = 32, help = "rows of the input" }
TILE = { default = 32, values = [8, 16, 32], macro = true, help = "tile edge, in elements" }

[buffers]
output = { type = "f32", length = "W * H", fill = "zero" }
input  = { type = "f32", length = "W * H", fill = "iota" }

[launch]
arguments = ["output", "input", "W", "H"]
grid  = ["W // TILE", "H // TILE"]
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

// As transpose_tiled, but with the elements of each tile row permuted: XOR with the row number permutes the
// columns of a power-of-two tile, so that each row of a column uses a different bank. W and H are multiples
// of TILE.
extern "C" __global__ void transpose_swizzled(float* output, const float* input, int W, int H) {
    __shared__ float tile[TILE][TILE];

    int column = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = input[row * W + column];
    __syncthreads();

    column = blockIdx.y * TILE + threadIdx.x;
    row = blockIdx.x * TILE + threadIdx.y;
    output[row * H + column] = tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
}
