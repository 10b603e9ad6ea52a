/*
[kernel]
title   = "Warps that wait at a barrier"
subject = "Barriers and races"
lesson  = "A barrier opens when the slowest warp arrives. All other warps wait, so uneven work between two barriers costs as much as the slowest warp."
views   = ["timeline", "lanes", "source"]

[parameters]
uneven = { default = 64, min = 0, max = 512, help = "extra loop iterations of each warp over the previous one" }
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

// Warps with higher numbers work longer in each phase. A warp stores its result in shared memory and reads
// another warp's. The first barrier ensures that the result is there, the second that it is not overwritten
// before it is read. Without either barrier the kernel has a race (compare with missing_barrier).
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
