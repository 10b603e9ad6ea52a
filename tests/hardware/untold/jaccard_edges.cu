/*
[kernel]
title   = "How many neighbours the two ends of an edge share: eight threads per edge look the shorter list up in the longer one by bisection"

[parameters]
edges = { default = 33792 }
nodes = { default = 8192 }

[buffers]
offsets = { type = "i32", length = "nodes + 1", fill = "formula", value = "i * 24 + (i * 7 % 16)" }
neighbours = { type = "i32", length = "nodes * 24 + 16", fill = "formula", value = "(i * 331 + (i // 24) * 17) % 8192" }
ends = { type = "i32", length = "edges * 2", fill = "random", seed = "1422", below = "nodes" }
shared_part = { type = "f32", length = "edges", fill = "zero" }

[launch]
arguments = ["offsets", "neighbours", "ends", "shared_part"]
grid  = ["edges // 32"]
block = ["256"]
*/
extern "C" __global__ void jaccard_edges(const int* __restrict__ offsets, const int* __restrict__ neighbours,
                                         const int2* __restrict__ ends, float* __restrict__ shared_part) {
    const int edge = blockIdx.x * 32 + threadIdx.x / 8, lane = threadIdx.x % 8;
    const int2 pair = ends[edge];
    int a = offsets[pair.x], a_end = offsets[pair.x + 1], b = offsets[pair.y], b_end = offsets[pair.y + 1];
    const int sizes = a_end - a + b_end - b;
    if (a_end - a > b_end - b) {
        int t = a;
        a = b;
        b = t;
        t = a_end;
        a_end = b_end;
        b_end = t;
    }
    int found = 0;
    for (int i = a + lane; i < a_end; i += 8) {
        const int wanted = neighbours[i];
        int low = b, high = b_end;
        while (low < high) {
            const int middle = (low + high) / 2, there = neighbours[middle];
            if (there == wanted) {
                ++found;
                break;
            }
            if (there < wanted) low = middle + 1;
            else high = middle;
        }
    }
    for (int d = 4; d > 0; d /= 2) found += __shfl_xor_sync(0xffffffffu, found, d);
    if (lane == 0) shared_part[edge] = float(found) / float(sizes - found);
}
