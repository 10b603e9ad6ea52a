/*
[kernel]
title   = "Connected components: every vertex follows its parents to the root and hangs itself under it"

[parameters]
vertices = { default = 540672 }

[buffers]
parent = { type = "u32", length = "vertices", fill = "formula", value = "i - i % 64 + (i % 64) * ((i * 2654435761 // 8192) % 97) // 97" }
root = { type = "u32", length = "vertices", fill = "zero" }

[launch]
arguments = ["parent", "root", "vertices"]
grid  = ["ceil_div(vertices, 256)"]
block = ["256"]
*/
extern "C" __global__ void shortcut_trees(const unsigned* __restrict__ parent, unsigned* __restrict__ root, int vertices) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    unsigned at = parent[v], above = parent[at];
    while (at != above) {
        at = above;
        above = parent[at];
    }
    root[v] = at;
}
