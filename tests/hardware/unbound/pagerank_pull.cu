/*
[kernel]
title   = "A step of page rank: each node pulls the shares of the nodes that point at it, eight lanes a node"

[parameters]
nodes = { default = 84480 }

[buffers]
begins = { type = "u32", length = "nodes + 1", fill = "formula", value = "i * 12 + i * i % 11" }
sources = { type = "u32", length = "nodes * 12 + 32", fill = "random", seed = "1707", below = "84480" }
shares = { type = "f32", length = "nodes", fill = "random", seed = "1708" }
ranks = { type = "f32", length = "nodes", fill = "zero" }

[launch]
arguments = ["begins", "sources", "shares", "ranks"]
grid  = ["nodes // 32"]
block = ["256"]
*/
extern "C" __global__ void pagerank_pull(const unsigned* __restrict__ begins, const unsigned* __restrict__ sources, const float* __restrict__ shares,
                                         float* __restrict__ ranks) {
    const int node = (blockIdx.x * 256 + threadIdx.x) / 8, lane = threadIdx.x % 8;
    const unsigned end = begins[node + 1];
    float sum = 0;
    for (unsigned e = begins[node] + lane; e < end; e += 8) sum += shares[sources[e]];
    for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset, 8);
    if (lane == 0) ranks[node] = 0.15f + 0.85f * sum;
}
