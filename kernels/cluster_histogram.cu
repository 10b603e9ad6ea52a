/*
[kernel]
title   = "Histogram in distributed shared memory"
subject = "Clusters and cooperative groups"
lesson  = "Each block of a cluster holds part of the bins, and the other blocks count in its shared memory: 1 / CLUSTER of a block's counts stay in its own."
views   = ["clusters", "lanes", "source"]

[parameters]
n       = { default = 32768, min = 256, max = 4194304, step = 256, help = "values counted" }
seed    = { default = "lcg12345", help = "seed of the random values" }
CLUSTER = { default = 4, values = [1, 2, 4, 8], macro = true, help = "blocks per cluster" }

[buffers]
values = { type = "i32", length = "n", fill = "lcg", below = "n", seed = "seed" }
bins   = { type = "i32", length = "1024", fill = "zero" }

[launch]
arguments = ["values", "bins", "n"]
grid  = ["CLUSTER * max(1, min(32, n // 256) // CLUSTER)"]
block = ["256"]
dynamic_shared_bytes = "0"

[golden.bins]
lua = '''
local count = {}
for k = 0, n - 1 do
    local bin = values[k] % 1024
    count[bin] = (count[bin] or 0) + 1
end
return function(i)
    return count[i] or 0
end
'''
*/
#include <cooperative_groups.h>

#ifndef CLUSTER
#define CLUSTER 4
#endif

constexpr int bin_count = 1024;
constexpr int own_count = bin_count / CLUSTER;

// The block with rank r holds own_count bins starting at bin r * own_count. Each value is counted in the
// block that holds its bin. At the end the blocks add their counts to global memory.
extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) cluster_histogram(const int* values, int* bins, int n) {
    __shared__ int own[own_count];
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    for (int bin = threadIdx.x; bin < own_count; bin += blockDim.x) {
        own[bin] = 0;
    }
    cluster.sync();  // all parts are initialized to zero

    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < n; index += gridDim.x * blockDim.x) {
        const int bin = values[index] & (bin_count - 1);
        int* const part = cluster.map_shared_rank(own, bin / own_count);
        atomicAdd(&part[bin % own_count], 1);
    }
    cluster.sync();  // all blocks are done counting

    for (int bin = threadIdx.x; bin < own_count; bin += blockDim.x) {
        atomicAdd(&bins[cluster.block_rank() * own_count + bin], own[bin]);
    }
}
