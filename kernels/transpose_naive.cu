/*
[kernel]
title   = "Transpose through global memory"
subject = "Shared-memory banks"
lesson  = "The loads are coalesced, but each store writes one element per row: 32 sectors per request (ideal 4)."
views   = ["sectors", "source", "occupancy"]

[parameters]
W       = { default = 1024, min = 1, max = 8192, step = 1, help = "columns of the input" }
H       = { default = 1024, min = 1, max = 8192, step = 1, help = "rows of the input" }
block_x = { default = 32, values = [8, 16, 32], help = "threads per block along x" }
block_y = { default = 8, values = [1, 2, 4, 8, 16, 32], help = "threads per block along y" }

[buffers]
output = { type = "f32", length = "W * H", fill = "zero" }
input  = { type = "f32", length = "W * H", fill = "iota" }

[launch]
arguments = ["output", "input", "W", "H"]
grid  = ["ceil_div(W, block_x)", "ceil_div(H, block_y)"]
block = ["block_x", "block_y"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)  -- output has W rows of H elements
    return input[(i % H) * W + i // H]
end
'''
*/

// Either the loads or the stores must go down a column, whatever the thread layout. transpose_tiled
// transposes in shared memory instead.
extern "C" __global__ void transpose_naive(float* output, const float* input, int W, int H) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < W && row < H) {
        const float value = input[row * W + column];  // neighboring lanes, neighboring addresses
        output[column * H + row] = value;             // neighboring lanes, H elements apart
    }
}
