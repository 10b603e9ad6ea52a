/*
[kernel]
title   = "A switch over four cases"
subject = "Divergence"
lesson  = "The compiler turns a switch into a tree of comparisons. A warp whose lanes need all four cases executes them one after the other."
views   = ["lanes", "source", "occupancy"]

[parameters]
n      = { default = 65536, min = 1, max = 4194304, help = "elements" }
rounds = { default = 8, min = 0, max = 64, help = "loop iterations" }
cases  = { default = 4, min = 1, max = 4, help = "number of cases that the lanes are distributed over" }
block  = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }

[buffers]
input  = { type = "u32", length = "ceil_div(n, block) * block", fill = "random", below = "65536", seed = "1" }
output = { type = "u32", length = "ceil_div(n, block) * block", fill = "zero" }

[launch]
arguments = ["input", "output", "rounds", "cases"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
local mix = {
    [0] = function(value) return value * 3 + 7 end,
    function(value) return value ~ value << 3 end,
    function(value) return value ~ value >> 5 end,
    function(value) return value * 9 + 1 end,
}
return function(i)
    local value, step = input[i] | 0, mix[i % block % cases]
    for round = 1, rounds do
        value = step(value) & 0xffffffff
    end
    return value
end
'''
*/

// The threads are distributed over the cases round-robin, so each of four cases runs with a quarter of the
// lanes. With cases = 1 all lanes take the first case and nothing diverges.
extern "C" __global__ void branch_switch(const unsigned* input, unsigned* output, int rounds, int cases) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = input[index];
    switch (threadIdx.x % cases) {
        case 0:
            for (int round = 0; round < rounds; ++round) {
                value = value * 3 + 7;
            }
            break;
        case 1:
            for (int round = 0; round < rounds; ++round) {
                value ^= value << 3;
            }
            break;
        case 2:
            for (int round = 0; round < rounds; ++round) {
                value ^= value >> 5;
            }
            break;
        default:
            for (int round = 0; round < rounds; ++round) {
                value = value * 9 + 1;
            }
    }
    output[index] = value;
}
