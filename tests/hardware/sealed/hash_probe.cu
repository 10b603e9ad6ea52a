/*
[kernel]
title   = "Probes of an open-addressed hash table, linear, until the key or an empty slot is found"

[parameters]
probes = { default = 540672 }
bits = { default = 17, macro = true }

[buffers]
table = { type = "u32", length = "131072", fill = "random", seed = "503", below = "262144" }
keys = { type = "u32", length = "probes", fill = "random", seed = "504", below = "262144" }
steps = { type = "u32", length = "probes", fill = "zero" }

[launch]
arguments = ["table", "keys", "steps", "probes"]
grid  = ["ceil_div(probes, 256)"]
block = ["256"]
*/
extern "C" __global__ void hash_probe(const unsigned* __restrict__ table, const unsigned* __restrict__ keys,
                                      unsigned* __restrict__ steps, int probes) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= probes) return;
    const unsigned key = keys[i];
    unsigned slot = key * 2654435761u >> (32 - bits), step = 0;
    for (; step < 48; ++step) {
        const unsigned held = table[slot];
        if (held == key || (held & 7) == 0) break;
        slot = (slot + 1) & ((1u << bits) - 1);
    }
    steps[i] = step;
}
