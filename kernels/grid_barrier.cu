/*
[kernel]
title   = "Smoothing in steps with a grid-wide barrier"
subject = "Clusters and cooperative groups"
lesson  = "this_grid().sync() replaces one launch per step with a single launch, but all blocks must be resident on the GPU at once."
views   = ["source", "lanes", "occupancy"]

[parameters]
n     = { default = 4096, min = 256, max = 131072, step = 256, help = "values; 256 per block" }
steps = { default = 4, min = 0, max = 64, help = "smoothing steps: each replaces a value by the mean of itself and its neighbors" }

[buffers]
a = { type = "f32", length = "n", fill = "random", seed = "3" }
b = { type = "f32", length = "n", fill = "zero" }

[launch]
arguments = ["a", "b", "n", "steps"]
grid  = ["n // 256"]
block = ["256"]
cooperative = true
dynamic_shared_bytes = "0"

[golden.a]
tolerance = 1e-5
lua = '''
local now = {}
for i = 0, n - 1 do
    now[i] = a[i]
end
local before = now
for step = 1, steps do
    local next = {}
    for i = 0, n - 1 do
        next[i] = (now[math.max(i - 1, 0)] + now[i] + now[math.min(i + 1, n - 1)]) / 3
    end
    before, now = now, next
end
return function(i)
    return steps % 2 == 0 and now[i] or before[i]
end
'''
*/
#include <cooperative_groups.h>

// The values alternate between two arrays. A step reads what other blocks wrote in the previous step, so all
// blocks must have finished that step.
extern "C" __global__ void grid_barrier(float* a, float* b, int n, int steps) {
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int left = i > 0 ? i - 1 : 0;
    const int right = i < n - 1 ? i + 1 : n - 1;
    float* from = a;
    float* to = b;
    for (int step = 0; step < steps; ++step) {
        to[i] = (from[left] + from[i] + from[right]) / 3.0f;
        grid.sync();
        float* const done = from;
        from = to;
        to = done;
    }
}
