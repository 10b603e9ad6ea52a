/*
[kernel]
title   = "Constant memory: one word per warp or many"
subject = "Memory spaces"
lesson  = "A constant load of one word serves all 32 lanes in one wavefront. Loads of different words are serialized, one word after another."
views   = ["source", "timeline", "lanes"]

[parameters]
n      = { default = 8192, min = 1, max = 4194304, help = "elements" }
block  = { default = 128, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }
SPREAD = { default = 1, values = [1, 2, 4, 8, 16, 32], macro = true, help = "different words per warp-level load" }

[buffers]
output = { type = "i32", length = "n", fill = "zero" }

[launch]
arguments = ["output", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.output]
lua = '''
return function(i)
    local sum = 0
    for round = 0, 15 do
        local at = (4 * round + i % SPREAD) % 64
        sum = sum + (at * at + 7) % 97
    end
    return sum
end
'''
*/
#ifndef SPREAD
#define SPREAD 1
#endif

// Element i is (i * i + 7) % 97.
__constant__ int table[64] = {
    7, 8, 11, 16, 23, 32, 43, 56, 71, 88, 10, 31, 54, 79, 9, 38, 69, 5, 40, 77, 19, 60, 6, 51, 1,
    50, 4, 57, 15, 72, 34, 95, 61, 29, 96, 68, 42, 18, 93, 73, 55, 39, 25, 13, 3, 92, 86, 82, 80,
    80, 82, 86, 92, 3, 13, 25, 39, 55, 73, 93, 18, 42, 68, 96};

// The index is the same in all lanes, plus an offset from 0 to SPREAD - 1 that depends on the lane.
extern "C" __global__ void constant_broadcast(int* output, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int round = 0; round < 16; ++round) {
        sum += table[(4 * round + threadIdx.x % SPREAD) % 64];
    }
    if (index < n) {
        output[index] = sum;
    }
}
