/*
[kernel]
title   = "One level of a breadth-first search: each thread walks one vertex's neighbours and lowers their distances"

[parameters]
vertices = { default = 270336 }

[buffers]
first = { type = "u32", length = "vertices + 1", fill = "formula", value = "i * 9 + (i * 2654435761 // 65536) % 8" }
neighbours = { type = "u32", length = "vertices * 9 + 8", fill = "random", seed = "601", below = "270336" }
distance = { type = "i32", length = "vertices", fill = "formula", value = "3 + (i * 2654435761 // 4096) % 5" }
seen = { type = "i32", length = "vertices", fill = "formula", value = "9" }

[launch]
arguments = ["first", "neighbours", "distance", "seen", "4", "vertices"]
grid  = ["ceil_div(vertices, 128)"]
block = ["128"]
*/
extern "C" __global__ void bfs_level(const unsigned* __restrict__ first, const unsigned* __restrict__ neighbours,
                                     const int* __restrict__ distance, int* seen, int level, int vertices) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices || distance[v] != level) return;
    for (unsigned e = first[v]; e < first[v + 1]; ++e) {
        const unsigned to = neighbours[e];
        if (distance[to] > level) atomicMin(&seen[to], level + 1);
    }
}
