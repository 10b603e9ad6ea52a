/*
[kernel]
title   = "A branch inside a branch"
subject = "Divergence"
lesson  = "Inside the nested branch each path runs with 8 lanes. 16 lanes reconverge after the inner branch, all 32 after the outer one."
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
    local lane, value = i % block % 32, input[i] | 0
    for round = 1, rounds do
        if lane >= 16 then
            value = value * 9 + 1 & 0xffffffff
        elseif lane < 8 then
            value = value * 3 + 7 & 0xffffffff
        else
            value = (value ~ value << 3) & 0xffffffff
        end
    end
    for round = 1, rounds do
        if lane < 16 then
            value = value ~ value >> 5
        end
    end
    return value
end
'''
*/

// Lanes 0 to 7, 8 to 15 and 16 to 31 each take a different path; lanes 0 to 15 also share one. The bodies are
// loops, so that the compiler keeps the branches.
extern "C" __global__ void branch_nested(const unsigned* input, unsigned* output, int rounds) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    unsigned value = input[index];
    if (lane < 16) {
        if (lane < 8) {
            for (int round = 0; round < rounds; ++round) {
                value = value * 3 + 7;
            }
        } else {
            for (int round = 0; round < rounds; ++round) {
                value ^= value << 3;
            }
        }
        for (int round = 0; round < rounds; ++round) {  // 16 lanes together
            value ^= value >> 5;
        }
    } else {
        for (int round = 0; round < rounds; ++round) {
            value = value * 9 + 1;
        }
    }
    output[index] = value;
}
