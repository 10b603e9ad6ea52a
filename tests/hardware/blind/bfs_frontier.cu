/*
[kernel]
title   = "A level of breadth-first search: a thread per vertex of the frontier, new vertices claimed by compare-and-swap and queued"

[parameters]
vertices = { default = 262144 }
frontier = { default = 40960 }

[buffers]
begins = { type = "u32", length = "vertices + 1", fill = "formula", value = "i * 8 + i % 8" }
targets = { type = "u32", length = "vertices * 8 + 8", fill = "random", seed = "405", below = "262144" }
queue = { type = "u32", length = "frontier", fill = "formula", value = "i * 6 + random(6)", seed = "406" }
level = { type = "u32", length = "vertices", fill = "formula", value = "random(10) // 7 * 3", seed = "407" }
next = { type = "u32", length = "vertices", fill = "zero" }
count = { type = "u32", length = "1", fill = "zero" }

[launch]
arguments = ["begins", "targets", "queue", "level", "next", "count", "frontier", "4"]
grid  = ["frontier // 128"]
block = ["128"]
*/
extern "C" __global__ void bfs_frontier(const unsigned* __restrict__ begins, const unsigned* __restrict__ targets,
                                        const unsigned* __restrict__ queue, unsigned* level, unsigned* next,
                                        unsigned* count, int frontier, int depth) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= frontier) return;
    const unsigned vertex = queue[i], end = begins[vertex + 1];
    for (unsigned edge = begins[vertex]; edge < end; ++edge) {
        const unsigned target = targets[edge];
        if (level[target] != 0) continue;
        if (atomicCAS(level + target, 0u, unsigned(depth)) == 0) next[atomicAdd(count, 1u)] = target;
    }
}
