/*
[kernel]
title   = "A switch over four cases"
subject = "Divergence"
lesson  = "The compiler turns a switch into a tree of compares; a warp that needs all four cases walks them one by one."
views   = ["lanes", "source", "occupancy"]

[parameters]
n      = { default = 65536, min = 1, max = 4194304, help = "elements" }
rounds = { default = 8, min = 0, max = 64, help = "rounds of mixing" }
cases  = { default = 4, min = 1, max = 4, help = "how many of the four cases the lanes are dealt out to" }
block  = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads a block" }

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

// The threads are dealt out to the cases in turn, so each case runs with a quarter of the lanes; with cases
// = 1 all lanes take the first one and nothing diverges.
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
