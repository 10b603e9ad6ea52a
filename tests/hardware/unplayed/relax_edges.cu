/*
[kernel]
title   = "Shortest paths, one round: each thread relaxes eight edges by atomic minima and marks what has changed"

[parameters]
edges = { default = 540672 }
vertices = { default = 65536 }

[buffers]
from = { type = "u32", length = "edges", fill = "random", seed = "1581", below = "65536" }
to = { type = "u32", length = "edges", fill = "random", seed = "1582", below = "65536" }
weight = { type = "u32", length = "edges", fill = "random", seed = "1583", below = "100" }
before = { type = "u32", length = "vertices", fill = "random", seed = "1584", below = "1000" }
after = { type = "u32", length = "vertices", fill = "formula", value = "1100" }

[launch]
arguments = ["from", "to", "weight", "before", "after", "edges"]
grid  = ["edges // 8 // 128"]
block = ["128"]
*/
extern "C" __global__ void relax_edges(const unsigned* __restrict__ from, const unsigned* __restrict__ to,
                                       const unsigned* __restrict__ weight, const unsigned* __restrict__ before,
                                       unsigned* __restrict__ after, int edges) {
    const int threads = gridDim.x * blockDim.x;
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += threads) {
        const unsigned way = before[from[e]] + weight[e];
        if (way < before[to[e]]) atomicMin(&after[to[e]], way);
    }
}
