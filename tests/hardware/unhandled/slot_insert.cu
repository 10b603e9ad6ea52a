/*
[kernel]
title   = "A hash table that is filled: each thread looks for its key's slot, one after another, and takes a free one by atomicCAS"

[parameters]
n = { default = 135168 }

[buffers]
keys = { type = "u32", length = "n", fill = "random", seed = "1701", below = "120000" }
table = { type = "u32", length = "262144", fill = "zero" }
steps = { type = "u32", length = "n", fill = "zero" }

[launch]
arguments = ["keys", "table", "steps", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
*/
extern "C" __global__ void slot_insert(const unsigned* keys, unsigned* table, unsigned* steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned key = keys[i] + 1;
    unsigned slot = key * 2654435761u >> 14, step = 0;
    while (true) {
        const unsigned held = atomicCAS(&table[slot], 0u, key);
        if (held == 0 || held == key) break;
        slot = (slot + 1) & 262143u;
        ++step;
    }
    steps[i] = step;
}
