/*
[kernel]
title   = "Sum by tiles of a warp"
subject = "Clusters and cooperative groups"
lesson  = "A tile of TILE threads sums in log2(TILE) shuffles without a barrier. All tiles of a warp use the same instructions."
views   = ["exchange", "tree", "lanes", "source"]

[parameters]
n    = { default = 8192, min = 1, max = 4194304, help = "numbers to sum" }
TILE = { default = 8, values = [2, 4, 8, 16, 32], macro = true, help = "threads per tile" }

[buffers]
in  = { type = "i32", length = "n", fill = "random", below = "1000", seed = "7" }
out = { type = "i32", length = "ceil_div(n, 256) * (256 // TILE)", fill = "zero" }

[launch]
arguments = ["in", "out", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
dynamic_shared_bytes = "0"

[golden.out]
lua = '''
return function(i)
    local sum = 0
    for k = i * TILE, math.min((i + 1) * TILE, n) - 1 do
        sum = sum + in_[k]
    end
    return sum
end
'''
*/
#include <cooperative_groups.h>

#ifndef TILE
#define TILE 8
#endif

// Each tile of neighboring threads sums its own numbers. The tile's first thread writes the sum.
extern "C" __global__ void group_reduce(const int* in, int* out, int n) {
    const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    const auto tile = cooperative_groups::tiled_partition<TILE>(block);

    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = index < n ? in[index] : 0;
    for (int distance = tile.size() / 2; distance > 0; distance /= 2) {
        sum += tile.shfl_down(sum, distance);
    }
    if (tile.thread_rank() == 0) {
        out[index / TILE] = sum;
    }
}
