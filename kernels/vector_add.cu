/*
[kernel]
title   = "Vector addition"
subject = "Threads, blocks and the grid"
lesson  = "The index maps each thread to one element. The bounds check disables the threads past the end."
views   = ["lanes", "source", "sectors"]

[parameters]
n     = { default = 1000, min = 1, max = 4194304, help = "elements" }
block = { default = 256, min = 1, max = 1024, help = "threads per block" }

[buffers]
a   = { type = "f32", length = "n", fill = "iota" }
b   = { type = "f32", length = "n", fill = "constant", value = "0.5" }
sum = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["a", "b", "sum", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.sum]
tolerance = 1e-6
lua = '''
return function(i)
    return a[i] + b[i]
end
'''
*/

// One thread per element. For 1000 elements in blocks of 256 the grid has 4 blocks, 1024 threads. The last 24
// fail the bounds check and do nothing.
extern "C" __global__ void vector_add(const float* a, const float* b, float* sum, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        sum[index] = a[index] + b[index];
    }
}
