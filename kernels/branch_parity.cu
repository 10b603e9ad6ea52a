/*
[kernel]
title   = "Even and odd threads, short bodies"
subject = "Divergence"
lesson  = "The source has a branch, the machine code may not: bodies this short become a select, which runs with all 32 lanes active."
views   = ["lanes", "source", "sectors"]

[parameters]
n     = { default = 65536, min = 1, max = 4194304, help = "elements" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
input  = { type = "f32", length = "ceil_div(n, block) * block", fill = "iota" }
output = { type = "f32", length = "ceil_div(n, block) * block", fill = "zero" }

[launch]
arguments = ["input", "output"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    if i % block % 2 == 0 then return input[i] * 2 end
    return input[i] + 7
end
'''
*/

// nvcc computes both results and selects one: the PTX has no branch, and all lanes stay active. branch_heavy
// has bodies that must stay a branch. No bounds check is needed because the arrays are as long as the grid.
extern "C" __global__ void branch_parity(const float* input, float* output) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if ((threadIdx.x & 1) == 0) {
        output[index] = input[index] * 2.0f;
    } else {
        output[index] = input[index] + 7.0f;
    }
}
