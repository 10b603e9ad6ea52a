/*
[kernel]
title   = "Chains of a table walked until a key is found: one thread per query, a load after each load"

[parameters]
queries = { default = 270336 }
nodes = { default = 65536 }

[buffers]
heads = { type = "u32", length = "queries", fill = "random", seed = "971", below = "65536" }
next = { type = "u32", length = "nodes", fill = "random", seed = "972", below = "65536" }
keys = { type = "u8", length = "nodes", fill = "random", seed = "973", below = "16" }
steps = { type = "u32", length = "queries", fill = "zero" }

[launch]
arguments = ["heads", "next", "keys", "steps", "queries"]
grid  = ["ceil_div(queries, 256)"]
block = ["256"]
*/
extern "C" __global__ void list_walk(const unsigned* __restrict__ heads, const unsigned* __restrict__ next,
                                     const unsigned char* __restrict__ keys, unsigned* __restrict__ steps,
                                     int queries) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= queries) return;
    unsigned node = heads[i], taken = 0;
    while (taken < 60 && keys[node] != 0) {
        node = next[node];
        ++taken;
    }
    steps[i] = taken;
}
