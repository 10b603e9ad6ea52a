/*
[kernel]
title   = "Branch by warp: no divergence"
subject = "Divergence"
lesson  = "The branch condition depends on the warp's number. All lanes of a warp agree, so each warp executes only one path."
views   = ["lanes", "source", "occupancy"]

[parameters]
n      = { default = 65536, min = 1, max = 4194304, help = "elements" }
rounds = { default = 8, min = 0, max = 64, help = "loop iterations" }
block  = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
input  = { type = "u32", length = "ceil_div(n, block) * block", fill = "random", below = "65536", seed = "1" }
output = { type = "u32", length = "ceil_div(n, block) * block", fill = "zero" }

[launch]
arguments = ["input", "output", "rounds"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    local value = input[i] | 0
    for round = 1, rounds do
        if i % block // 32 % 2 == 0 then
            value = value * 1664525 + 1013904223 & 0xffffffff
        else
            value = (value ~ value << 13) & 0xffffffff
            value = value ~ value >> 17
            value = (value ~ value << 5) & 0xffffffff
        end
    end
    return value
end
'''
*/

// The same two paths as branch_heavy, but even warps take the first and odd warps the second.
extern "C" __global__ void branch_per_warp(const unsigned* input, unsigned* output, int rounds) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned warp = threadIdx.x / 32;
    unsigned value = input[index];
    if (warp % 2 == 0) {
        for (int round = 0; round < rounds; ++round) {
            value = value * 1664525u + 1013904223u;
        }
    } else {
        for (int round = 0; round < rounds; ++round) {
            value ^= value << 13;
            value ^= value >> 17;
            value ^= value << 5;
        }
    }
    output[index] = value;
}
