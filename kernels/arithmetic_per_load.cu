/*
[kernel]
title   = "Arithmetic that fills the wait for memory"
subject = "Warp scheduling and latency hiding"
lesson  = "A scheduler is busy in every cycle once its warps together have as many instructions per load as a load has cycles. With 64 warps per SM a few dozen multiply-adds per load are enough."
views   = ["timeline", "occupancy", "whatif"]

[parameters]
warps  = { default = 32, values = [1, 2, 4, 8, 16, 32], help = "warps per block" }
blocks = { default = 264, min = 1, max = 1056, help = "blocks in the grid; 264 are two for each SM of an H200" }
WORK   = { default = 128, values = [0, 8, 16, 32, 64, 128], macro = true, help = "multiply-adds per loaded element, each of which needs the previous one" }
rounds = { default = 16, min = 1, max = 256, help = "loads per thread, one after the other" }

[buffers]
input  = { type = "f32", length = "rounds * blocks * warps * 32", fill = "random", seed = "1" }
output = { type = "f32", length = "blocks * warps * 32", fill = "zero" }

[launch]
arguments = ["input", "output", "rounds"]
grid  = ["blocks"]
block = ["warps * 32"]
dynamic_shared_bytes = "0"

[golden.output]
tolerance = 1e-5
lua = '''
local threads = blocks * warps * 32
return function(i)
    local sum = 0.0
    for round = 0, rounds - 1 do
        local value = input[round * threads + i]
        for step = 1, WORK do
            value = f32(value * 1.0009765625 + 0.5)
        end
        sum = sum + value
    end
    return sum
end
'''
*/
#ifndef WORK
#define WORK 128
#endif

// Every round a thread loads one element that no thread has touched before, computes with it, and adds the
// result up. The warp waits for the load; whether its scheduler waits depends on what the other warps have to
// compute.
extern "C" __global__ void arithmetic_per_load(const float* input, float* output, int rounds) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (int round = 0; round < rounds; ++round) {
        float value = input[round * threads + index];
        for (int step = 0; step < WORK; ++step) {
            value = value * 1.0009765625f + 0.5f;
        }
        sum += value;
    }
    output[index] = sum;
}
