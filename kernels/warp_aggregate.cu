/*
[kernel]
title   = "Warp-aggregated atomics"
subject = "Warp collectives"
lesson  = "Atomics of lanes on the same address are serialized. If the lanes are matched first, one lane adds for its group, and the warp's atomics do not collide."
views   = ["exchange", "sectors", "source"]

[parameters]
n         = { default = 16384, min = 1, max = 4194304, help = "elements" }
block     = { default = 256, values = [32, 64, 128, 256, 512, 1024], help = "threads per block" }
bins      = { default = 4, values = [1, 2, 4, 8, 32, 256], help = "number of bins" }
AGGREGATE = { default = 1, values = [0, 1], macro = true, help = "0: every lane adds 1; 1: one lane adds for all lanes of its bin" }

[buffers]
input     = { type = "i32", length = "n", fill = "random", below = "bins", seed = "1" }
histogram = { type = "i32", length = "bins", fill = "zero" }

[launch]
arguments = ["input", "histogram", "n"]
grid  = ["ceil_div(n, block)"]
block = ["block"]
dynamic_shared_bytes = "0"

[golden.histogram]
lua = '''
local counts = {}
for k = 0, n - 1 do
    counts[input[k]] = (counts[input[k]] or 0) + 1
end
return function(i)
    return counts[i] or 0
end
'''
*/
#ifndef AGGREGATE
#define AGGREGATE 1
#endif

// Requires compute capability 7.0. Lanes past the end use bin -1, which is not counted.
extern "C" __global__ void warp_aggregate(const int* input, int* histogram, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    const int bin = index < n ? input[index] : -1;
#if AGGREGATE
    const unsigned same = __match_any_sync(0xffffffff, bin);
    const int lane = threadIdx.x % 32, first = __ffs(same) - 1;
    if (bin >= 0 && lane == first) {
        atomicAdd(&histogram[bin], __popc(same));
    }
#else
    if (bin >= 0) {
        atomicAdd(&histogram[bin], 1);
    }
#endif
}
