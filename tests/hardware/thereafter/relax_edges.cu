/*
[kernel]
title   = "A round of Bellman-Ford over all edges of a graph: distances are gathered, and lowered by atomic minima"

[parameters]
edges = { default = 270336 }

[buffers]
sources = { type = "i32", length = "edges", fill = "random", seed = "1115", below = "32768" }
targets = { type = "i32", length = "edges", fill = "random", seed = "1116", below = "32768" }
weights = { type = "i32", length = "edges", fill = "random", seed = "1117", below = "1000" }
distances = { type = "i32", length = "32768", fill = "random", seed = "1118", below = "3000" }
lowered = { type = "i32", length = "32768", fill = "formula", value = "2000", seed = "1119" }

[launch]
arguments = ["sources", "targets", "weights", "distances", "lowered"]
grid  = ["edges // 512"]
block = ["256"]
*/
extern "C" __global__ void relax_edges(const int* __restrict__ sources, const int* __restrict__ targets,
                                       const int* __restrict__ weights, const int* __restrict__ distances, int* lowered) {
    for (int k = 0; k < 2; ++k) {
        const int edge = blockIdx.x * 512 + k * 256 + threadIdx.x;
        const int distance = distances[sources[edge]] + weights[edge], target = targets[edge];
        if (distance < distances[target]) atomicMin(lowered + target, distance);
    }
}
