/*
[kernel]
title   = "One round of a k-core's peeling: each vertex of too small a degree leaves and lowers its neighbours' degrees"

[parameters]
vertices = { default = 202752 }

[buffers]
first = { type = "u32", length = "vertices + 1", fill = "formula", value = "i * 11 + (i * 2654435761 // 65536) % 6" }
neighbours = { type = "u32", length = "vertices * 11 + 6", fill = "random", seed = "1201", below = "202752" }
degree = { type = "i32", length = "vertices", fill = "formula", value = "6 + (i * 2654435761 // 2048) % 9" }
removed = { type = "u8", length = "vertices", fill = "zero" }
left = { type = "u32", length = "1", fill = "formula", value = "vertices" }

[launch]
arguments = ["first", "neighbours", "degree", "removed", "left", "8", "vertices"]
grid  = ["ceil_div(vertices, 256)"]
block = ["256"]
*/
extern "C" __global__ void core_peel(const unsigned* first, const unsigned* neighbours, int* degree, unsigned char* removed,
                                     unsigned* left, int k, int vertices) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices || removed[v] != 0) return;
    if (degree[v] >= k) return;
    removed[v] = 1;
    atomicSub(left, 1u);
    for (unsigned e = first[v]; e < first[v + 1]; ++e) atomicSub(&degree[neighbours[e]], 1);
}
