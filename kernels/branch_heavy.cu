/*
[kernel]
title   = "Even and odd threads, long bodies"
subject = "Divergence"
lesson  = "A loop cannot become a select: the warp executes both paths one after the other, each with half of its lanes."
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
        if i % block % 2 == 0 then
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

// Both paths mix the bits of a number, one by multiplication and one by shifts. Every warp has even and odd
// threads, so every warp executes both paths. In branch_per_warp each warp executes only one of them.
extern "C" __global__ void branch_heavy(const unsigned* input, unsigned* output, int rounds) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = input[index];
    if (threadIdx.x % 2 == 0) {
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
