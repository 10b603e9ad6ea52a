/*
[kernel]
title   = "Keys searched in a skip list of four levels: right while the next key is smaller, else down"

[parameters]
queries = { default = 67584 }
nodes = { default = 8192 }

[buffers]
key = { type = "u32", length = "nodes", fill = "formula", value = "i * 16 + random(16)", seed = "1971" }
next = { type = "u32", length = "nodes * 4", fill = "formula", value = "(i // 4 // (1 << (i % 4) * 3) + 1) * (1 << (i % 4) * 3)" }
wanted = { type = "u32", length = "queries", fill = "random", seed = "1972", below = "131072" }
found = { type = "i32", length = "queries", fill = "zero" }

[launch]
arguments = ["key", "next", "wanted", "found", "queries", "nodes"]
grid  = ["ceil_div(queries, 256)"]
block = ["256"]
*/
extern "C" __global__ void skip_list_find(const unsigned* __restrict__ key, const unsigned* __restrict__ next,
                                          const unsigned* __restrict__ wanted, int* __restrict__ found,
                                          int queries, int nodes) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= queries) return;
    const unsigned target = wanted[i];
    unsigned at = 0;
    for (int level = 3; level >= 0; --level)
        for (;;) {
            const unsigned to = next[4 * at + level];
            if (to >= nodes || key[to] > target) break;
            at = to;
            if (key[at] == target) {
                found[i] = at;
                return;
            }
        }
    found[i] = -1 - int(at);
}
