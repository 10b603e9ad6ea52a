/*
[kernel]
title   = "Fill a two-dimensional array"
subject = "Threads, blocks and the grid"
lesson  = "Threads fill warps along x first: the block's shape determines which addresses one warp writes."
views   = ["lanes", "sectors", "source"]

[parameters]
W       = { default = 100, min = 1, max = 8192, help = "columns" }
H       = { default = 60, min = 1, max = 8192, help = "rows" }
block_x = { default = 16, values = [1, 2, 4, 8, 16, 32], help = "threads per block along x" }
block_y = { default = 16, values = [1, 2, 4, 8, 16, 32], help = "threads per block along y" }
value   = { default = 1.5, min = -100.0, max = 100.0, step = 0.5, help = "value written to every element" }

[buffers]
output = { type = "f32", length = "W * H", fill = "zero" }

[launch]
arguments = ["output", "W", "H", "value"]
grid  = ["ceil_div(W, block_x)", "ceil_div(H, block_y)"]
block = ["block_x", "block_y"]
dynamic_shared_bytes = "0"

[golden.output]
tolerance = 1e-6
lua = '''
return function(i)
    return value
end
'''
*/

// One thread per element, in two dimensions. x counts along a row, so that neighboring lanes write
// neighboring addresses. A block 1 thread wide and 32 high sends every lane of a warp to a different row.
extern "C" __global__ void fill_2d(float* output, int W, int H, float value) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < W && row < H) {
        output[row * W + column] = value;
    }
}
