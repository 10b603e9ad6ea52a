/*
[kernel]
title   = "Betweenness: nodes of a level add their neighbours' shares of shortest paths, from the far end back"

[parameters]
nodes = { default = 50688 }

[buffers]
begins = { type = "u32", length = "nodes + 1", fill = "formula", value = "i * 8 + i * i % 7" }
targets = { type = "u32", length = "nodes * 8 + 16", fill = "random", seed = "1822", below = "50688" }
depths = { type = "u32", length = "nodes", fill = "formula", value = "random(6)", seed = "1823" }
paths = { type = "f32", length = "nodes", fill = "random", seed = "1824" }
shares = { type = "f32", length = "nodes", fill = "random", seed = "1825" }
central = { type = "f32", length = "nodes", fill = "zero" }

[launch]
arguments = ["begins", "targets", "depths", "paths", "shares", "central", "nodes"]
grid  = ["nodes // 192"]
block = ["192"]
*/
extern "C" __global__ void centrality_level(const unsigned* __restrict__ begins, const unsigned* __restrict__ targets, const unsigned* __restrict__ depths,
                                            const float* __restrict__ paths, float* shares, float* __restrict__ central, int nodes) {
    const int node = blockIdx.x * 192 + threadIdx.x;
    if (node >= nodes || depths[node] != 3) return;
    const float own = paths[node] + 1.0f;
    float sum = 0;
    for (unsigned e = begins[node], end = begins[node + 1]; e < end; ++e) {
        const unsigned target = targets[e];
        if (depths[target] == 4) sum += own / (paths[target] + 1.0f) * (1.0f + shares[target]);
    }
    shares[node] = sum;
    central[node] += sum;
}
