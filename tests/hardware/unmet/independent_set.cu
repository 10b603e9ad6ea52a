/*
[kernel]
title   = "A round of Luby's independent set: a thread per node looks for a neighbour of higher priority, lists of 7 or 23 at random places"

[parameters]
nodes = { default = 101376 }

[buffers]
offsets = { type = "i32", length = "nodes + 1", fill = "formula", value = "i * 12 - (i * 5 % 16) + 15" }
neighbours = { type = "i32", length = "nodes * 12 + 32", fill = "random", seed = "1323", below = "nodes" }
priority = { type = "u32", length = "nodes", fill = "random", seed = "1324", below = "4294967295" }
state = { type = "u8", length = "nodes", fill = "formula", value = "random(4) == 0 and 2 or 0", seed = "1325" }
chosen = { type = "u8", length = "nodes", fill = "zero" }

[launch]
arguments = ["offsets", "neighbours", "priority", "state", "chosen", "nodes"]
grid  = ["nodes // 256"]
block = ["256"]
*/
extern "C" __global__ void independent_set(const int* __restrict__ offsets, const int* __restrict__ neighbours,
                                           const unsigned* __restrict__ priority, const unsigned char* __restrict__ state,
                                           unsigned char* __restrict__ chosen, int nodes) {
    const int node = blockIdx.x * 256 + threadIdx.x;
    if (node >= nodes || state[node] != 0) return;
    const unsigned own = priority[node];
    bool highest = true;
    for (int i = offsets[node]; i < offsets[node + 1]; ++i) {
        const int other = neighbours[i];
        if (state[other] == 2) continue;
        const unsigned theirs = priority[other];
        if (theirs > own || (theirs == own && other > node)) {
            highest = false;
            break;
        }
    }
    if (highest) chosen[node] = 1;
}
