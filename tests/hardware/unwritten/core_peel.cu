/*
[kernel]
title   = "A step of peeling a graph to its core: nodes of low degree leave and take one from each neighbour"

[parameters]
nodes = { default = 202752 }

[buffers]
degrees = { type = "u32", length = "nodes", fill = "random", seed = "1614", below = "12" }
neighbours = { type = "u32", length = "nodes * 6", fill = "random", seed = "1615", below = "202752" }
gone = { type = "u32", length = "nodes", fill = "zero" }

[launch]
arguments = ["degrees", "neighbours", "gone", "nodes"]
grid  = ["nodes // 256"]
block = ["256"]
*/
extern "C" __global__ void core_peel(int* degrees, const unsigned* __restrict__ neighbours, unsigned* __restrict__ gone, int nodes) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= nodes || gone[i] != 0 || degrees[i] >= 4) return;
    gone[i] = 1;
    for (int k = 0; k < 6; ++k) atomicSub(&degrees[neighbours[i * 6 + k]], 1);
}
