/*
[kernel]
title   = "Sums and counts by key into an open hash table of all blocks: keys enter by compare-and-swap, then two additions"

[parameters]
rows = { default = 135168 }

[buffers]
keys = { type = "u32", length = "rows", fill = "formula", value = "1 + random(20000)", seed = "1319" }
amounts = { type = "u32", length = "rows", fill = "random", seed = "1320", below = "1000" }
table = { type = "u32", length = "65536", fill = "zero" }
sums = { type = "u32", length = "65536", fill = "zero" }
counts = { type = "u32", length = "65536", fill = "zero" }

[launch]
arguments = ["keys", "amounts", "table", "sums", "counts", "rows"]
grid  = ["rows // 256"]
block = ["256"]
*/
extern "C" __global__ void group_sums(const unsigned* __restrict__ keys, const unsigned* __restrict__ amounts, unsigned* table,
                                      unsigned* sums, unsigned* counts, int rows) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= rows) return;
    const unsigned key = keys[i], amount = amounts[i];
    unsigned slot = (key * 2654435761u) >> 16;
    while (true) {
        const unsigned before = atomicCAS(&table[slot], 0u, key);
        if (before == 0 || before == key) break;
        slot = (slot + 1) & 65535;
    }
    atomicAdd(&sums[slot], amount);
    atomicAdd(&counts[slot], 1u);
}
