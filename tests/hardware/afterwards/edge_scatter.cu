/*
[kernel]
title   = "Messages along edges in any order: four features of the source, weighted, are added to the target in global memory"

[parameters]
edges = { default = 202752 }
nodes = { default = 32768 }

[buffers]
source = { type = "u32", length = "edges", fill = "formula", value = "random(32768)", seed = "912" }
target = { type = "u32", length = "edges", fill = "formula", value = "random(32768)", seed = "913" }
weight = { type = "f32", length = "edges", fill = "random", seed = "914" }
features = { type = "f32", length = "4 * nodes", fill = "random", seed = "915" }
sums = { type = "f32", length = "4 * nodes", fill = "zero" }

[launch]
arguments = ["source", "target", "weight", "features", "sums", "edges"]
grid  = ["edges // 256"]
block = ["256"]
*/
extern "C" __global__ void edge_scatter(const unsigned* source, const unsigned* target, const float* weight, const float4* features,
                                        float* sums, int edges) {
    const int edge = blockIdx.x * blockDim.x + threadIdx.x;
    if (edge >= edges) return;
    const float4 from = features[source[edge]];
    float* to = sums + 4 * target[edge];
    const float w = weight[edge];
    atomicAdd(to, w * from.x);
    atomicAdd(to + 1, w * from.y);
    atomicAdd(to + 2, w * from.z);
    atomicAdd(to + 3, w * from.w);
}
