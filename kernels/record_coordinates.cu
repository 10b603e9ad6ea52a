/*
[kernel]
title   = "Every thread records its coordinates"
subject = "Threads, blocks and the grid"
lesson  = "Block index times block size plus thread index, along each axis, gives the thread's coordinates in the array."
views   = ["lanes", "source", "sectors"]

[parameters]
W       = { default = 120, min = 1, max = 2048, help = "columns" }
H       = { default = 60, min = 1, max = 2048, help = "rows" }
block_x = { default = 16, values = [1, 2, 4, 8, 16, 32], help = "threads per block along x" }
block_y = { default = 16, values = [1, 2, 4, 8, 16, 32], help = "threads per block along y" }

[buffers]
block_at  = { type = "i32", length = "W * H", fill = "constant", value = "-1" }
thread_at = { type = "i32", length = "W * H", fill = "constant", value = "-1" }
index_at  = { type = "i32", length = "W * H", fill = "constant", value = "-1" }

[launch]
arguments = ["block_at", "thread_at", "index_at", "W", "H"]
grid  = ["ceil_div(W, block_x)", "ceil_div(H, block_y)"]
block = ["block_x", "block_y"]
dynamic_shared_bytes = "0"

[golden.block_at]
lua = '''
return function(i)
    local row, column = i // W, i % W
    return (row // block_y) * ceil_div(W, block_x) + column // block_x
end
'''

[golden.thread_at]
lua = '''
return function(i)
    local row, column = i // W, i % W
    return (row % block_y) * block_x + column % block_x
end
'''

[golden.index_at]
lua = '''
return function(i)
    return i
end
'''
*/

// Each thread writes three numbers to its element of the array: its block's index in the grid, its own index
// in the block, and the index it computed. With blocks of 16 x 16, thread (x 5, y 3) of block (x 7, y 2)
// writes to row 2 * 16 + 3 = 35 and column 7 * 16 + 5 = 117.
extern "C" __global__ void record_coordinates(int* block_at, int* thread_at, int* index_at, int W, int H) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= W || row >= H) return;

    const int index = row * W + column;
    block_at[index] = blockIdx.y * gridDim.x + blockIdx.x;
    thread_at[index] = threadIdx.y * blockDim.x + threadIdx.x;
    index_at[index] = index;
}
