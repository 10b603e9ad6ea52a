/*
[kernel]
title   = "Warps that wait at a barrier"
subject = "Barriers and races"
lesson  = "A barrier opens when the slowest warp arrives: all others wait, so uneven work between two barriers costs as much as the worst of it."
views   = ["timeline", "lanes", "source"]

[parameters]
uneven = { default = 64, min = 0, max = 512, help = "rounds that each warp works longer than the one before it" }
phases = { default = 4, min = 1, max = 32, help = "barriers in a row" }

[buffers]
output = { type = "u32", length = "8 * 256", fill = "zero" }

[launch]
arguments = ["output", "uneven", "phases"]
grid  = ["8"]
block = ["256"]

[golden.output]
lua = '''
local turned = {}
for warp = 0, 7 do
    local x = 1
    for round = 1, 16 + warp * uneven do x = (x * 1664525 + 1013904223) & 0xffffffff end
    turned[warp] = x
end
return function(i)
    local thread, sum = i % 256, 0
    for phase = 0, phases - 1 do
        local neighbour = (thread + 32 * (phase + 1)) % 256
        sum = (sum + turned[neighbour // 32] + neighbour) & 0xffffffff
    end
    return sum
end
'''
*/

// In each phase a warp works the longer the higher its number is, leaves its result in shared memory, and
// takes another warp's. The first barrier makes sure that the result is there, the second that nobody
// overwrites it before it has been taken: leave out either and the kernel has a race (missing_barrier).
extern "C" __global__ void barrier_phases(unsigned* output, int uneven, int phases) {
    __shared__ unsigned results[256];
    const int thread = threadIdx.x;
    unsigned sum = 0;
    for (int phase = 0; phase < phases; ++phase) {
        unsigned x = 1;
        for (int round = 0; round < 16 + thread / 32 * uneven; ++round) x = x * 1664525u + 1013904223u;
        results[thread] = x + thread;
        __syncthreads();
        sum += results[(thread + 32 * (phase + 1)) % 256];
        __syncthreads();
    }
    output[blockIdx.x * 256 + thread] = sum;
}
