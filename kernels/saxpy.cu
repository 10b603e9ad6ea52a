/*
[kernel]
title   = "SAXPY: y = a x + y"
subject = "Threads, blocks and the grid"
lesson  = "The grid is rounded up to complete blocks: the last block has threads without an element, and the bounds check disables them."
views   = ["lanes", "source", "sectors"]

[parameters]
n     = { default = 10000, min = 1, max = 4194304, help = "elements" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }
a     = { default = 2.0, min = -10.0, max = 10.0, step = 0.5, help = "factor of x" }

[buffers]
x = { type = "f32", length = "n", fill = "iota" }
y = { type = "f32", length = "n", fill = "constant", value = "3" }

[launch]
arguments = ["n", "a", "x", "y"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.y]
tolerance = 1e-6
lua = '''
return function(i)
    return a * x[i] + y[i]
end
'''
*/

// One thread per element. With n = 10000 and blocks of 256 threads the grid has 40 blocks, 10240 threads; the
// last 240 have no element.
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        y[index] = a * x[index] + y[index];
    }
}
