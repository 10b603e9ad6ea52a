/*
[kernel]
title   = "Color image to grayscale"
subject = "Threads, blocks and the grid"
lesson  = "One thread per pixel, on a grid that covers the image. The three bytes of a pixel take three overlapping loads."
views   = ["lanes", "sectors", "source"]

[parameters]
W       = { default = 250, min = 1, max = 8192, help = "width of the image in pixels" }
H       = { default = 150, min = 1, max = 8192, help = "height of the image in pixels" }
block_x = { default = 16, values = [8, 16, 32], help = "threads per block along x" }
block_y = { default = 16, values = [1, 2, 4, 8, 16, 32], help = "threads per block along y" }

[buffers]
colour = { type = "u8", length = "3 * W * H", fill = "random", below = "256", seed = "1" }
grey   = { type = "u8", length = "W * H", fill = "zero" }

[launch]
arguments = ["colour", "grey", "W", "H"]
grid  = ["ceil_div(W, block_x)", "ceil_div(H, block_y)"]
block = ["block_x", "block_y"]
dynamic_shared_bytes = "0"

[golden.grey]
lua = '''
return function(i)
    return (77 * colour[3 * i] + 150 * colour[3 * i + 1] + 29 * colour[3 * i + 2]) // 256
end
'''
*/

// Red, green and blue of a pixel are adjacent, one byte each. The luminance weights are integers in 256ths
// (77 + 150 + 29 = 256), so that the result is the same integer on every machine.
extern "C" __global__ void grayscale(const unsigned char* colour, unsigned char* grey, int W, int H) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= W || row >= H) return;

    const int pixel = row * W + column;
    const int red = colour[3 * pixel];
    const int green = colour[3 * pixel + 1];
    const int blue = colour[3 * pixel + 2];
    grey[pixel] = (77 * red + 150 * green + 29 * blue) >> 8;
}
