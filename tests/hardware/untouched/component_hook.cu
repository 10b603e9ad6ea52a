/*
[kernel]
title   = "Connected components, one round: edges hook the larger root below the smaller one"

[parameters]
nodes = { default = 65536 }
edges = { default = 196608 }

[buffers]
from = { type = "u32", length = "edges", fill = "random", seed = "706", below = "65536" }
to = { type = "u32", length = "edges", fill = "random", seed = "707", below = "65536" }
parents = { type = "u32", length = "nodes", fill = "formula", value = "i - i % 4" }
changed = { type = "u32", length = "1", fill = "zero" }

[launch]
arguments = ["from", "to", "parents", "changed", "edges"]
grid  = ["ceil_div(edges, 256)"]
block = ["256"]
*/
// Every fourth node is a root. Roots are read off the numbers, so that the result does not depend on the order of edges.
extern "C" __global__ void component_hook(const unsigned* __restrict__ from, const unsigned* __restrict__ to,
                                          unsigned* parents, unsigned* changed, int edges) {
    const int edge = blockIdx.x * blockDim.x + threadIdx.x;
    if (edge >= edges) return;
    const unsigned a = from[edge], b = to[edge];
    const unsigned root_a = a - a % 4, root_b = b - b % 4;
    if (root_a == root_b) return;
    const unsigned high = max(root_a, root_b), low = min(root_a, root_b);
    atomicMin(&parents[high], low);
    if (__ballot_sync(__activemask(), true) != 0 && threadIdx.x % 32 == 0) atomicOr(changed, 1u);
}
