/*
[kernel]
title   = "One round of minimum spanning trees: each edge between two trees is offered to both by atomicMin"

[parameters]
edges = { default = 202752 }

[buffers]
from = { type = "u32", length = "edges", fill = "random", seed = "1711", below = "16384" }
to = { type = "u32", length = "edges", fill = "random", seed = "1712", below = "16384" }
weight = { type = "u32", length = "edges", fill = "random", seed = "1713", below = "4096" }
parent = { type = "u32", length = "16384", fill = "formula", value = "i // 3" }
lightest = { type = "u32", length = "16384", fill = "formula", value = "4294967295" }

[launch]
arguments = ["from", "to", "weight", "parent", "lightest", "edges"]
grid  = ["ceil_div(edges, 256)"]
block = ["256"]
*/
__device__ unsigned root_of(const unsigned* parent, unsigned at) {
    while (parent[at] != at) at = parent[at];
    return at;
}
extern "C" __global__ void lightest_edges(const unsigned* from, const unsigned* to, const unsigned* weight,
                                          const unsigned* parent, unsigned* lightest, int edges) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= edges) return;
    const unsigned a = root_of(parent, from[i]), b = root_of(parent, to[i]);
    if (a == b) return;
    const unsigned key = weight[i] << 18 | i;
    if (lightest[a] > key) atomicMin(&lightest[a], key);
    if (lightest[b] > key) atomicMin(&lightest[b], key);
}
