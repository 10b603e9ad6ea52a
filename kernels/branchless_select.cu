/*
[kernel]
title   = "Even and odd threads without a branch"
subject = "Divergence"
lesson  = "The lanes select their operands instead of their path, so all 32 lanes execute every instruction together."
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

// The same results as branch_parity without a branch in the source: each lane selects a factor and an
// addend.
extern "C" __global__ void branchless_select(const float* input, float* output) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    const bool even = (threadIdx.x & 1) == 0;
    const float factor = even ? 2.0f : 1.0f;
    const float addend = even ? 0.0f : 7.0f;
    output[index] = input[index] * factor + addend;
}
