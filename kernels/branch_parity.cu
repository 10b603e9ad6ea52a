/*
[kernel]
title   = "Even and odd threads, short bodies"
subject = "Divergence"
lesson  = "The source branches, the machine code need not: bodies this short can become a select with every lane on."
views   = ["lanes", "source", "sectors"]

[parameters]
n     = { default = 65536, min = 1, max = 4194304, help = "elements" }
block = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads a block" }

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

// nvcc computes both results and selects one: even the PTX has no branch left, and no lane is ever off.
// branch_heavy has bodies that must stay a branch. There is no guard, the arrays are as long as the grid.
extern "C" __global__ void branch_parity(const float* input, float* output) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if ((threadIdx.x & 1) == 0) {
        output[index] = input[index] * 2.0f;
    } else {
        output[index] = input[index] + 7.0f;
    }
}
