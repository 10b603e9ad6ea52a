/*
[kernel]
title   = "Warps and loads that hide latency"
subject = "Warp scheduling and latency hiding"
lesson  = "One warp leaves its scheduler idle while it waits for memory. More warps, or more loads before the first use, hide the latency."
views   = ["timeline", "occupancy", "whatif"]

[parameters]
warps  = { default = 1, values = [1, 2, 4, 8, 16, 32], help = "warps per block" }
LOADS  = { default = 1, values = [1, 2, 4, 8], macro = true, help = "loads in flight per thread before the first use" }
rounds = { default = 16, min = 1, max = 1024, help = "loop iterations" }

[buffers]
input  = { type = "f32", length = "rounds * LOADS * warps * 32", fill = "iota" }
output = { type = "f32", length = "warps * 32", fill = "zero" }

[launch]
arguments = ["input", "output", "rounds"]
grid  = ["1"]
block = ["warps * 32"]
dynamic_shared_bytes = "0"

[golden.output]
tolerance = 1e-5
lua = '''
return function(i)
    local sum, threads = 0.0, warps * 32
    for k = 0, rounds * LOADS - 1 do
        sum = sum + input[k * threads + i]
    end
    return sum
end
'''
*/
#ifndef LOADS
#define LOADS 1
#endif

// One block, so that only its warps run on the SM. Every round loads LOADS elements that no thread has
// touched before, then adds them up: the first addition waits for memory, and the warp stalls.
extern "C" __global__ void latency_hiding(const float* input, float* output, int rounds) {
    float sum = 0.0f;
    const float* from = input + threadIdx.x;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        float value[LOADS];
        for (int i = 0; i < LOADS; ++i) {
            value[i] = from[i * blockDim.x];
        }
        for (int i = 0; i < LOADS; ++i) {
            sum += value[i];
        }
        from += LOADS * blockDim.x;
    }
    output[threadIdx.x] = sum;
}
