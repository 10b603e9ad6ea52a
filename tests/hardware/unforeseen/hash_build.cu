/*
[kernel]
title   = "A hash table for a join: each row claims the next free place from its hash on, by compare and swap"

[parameters]
rows = { default = 135168 }

[buffers]
keys = { type = "u32", length = "rows", fill = "formula", value = "(i * 2654435 + 17) % 4194301 + 1" }
values = { type = "u32", length = "rows", fill = "random", seed = "1524", below = "1000000" }
table_keys = { type = "u32", length = "524288", fill = "zero" }
table_values = { type = "u32", length = "524288", fill = "zero" }

[launch]
arguments = ["keys", "values", "table_keys", "table_values", "rows"]
grid  = ["rows // 256"]
block = ["256"]
*/
extern "C" __global__ void hash_build(const unsigned* __restrict__ keys, const unsigned* __restrict__ values, unsigned* table_keys,
                                      unsigned* table_values, int rows) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= rows) return;
    const unsigned key = keys[i], value = values[i];
    unsigned hash = key * 2654435761u;
    hash ^= hash >> 16;
    unsigned place = hash & 524287;
    for (int tries = 0; tries < 64; ++tries) {
        const unsigned before = atomicCAS(&table_keys[place], 0u, key);
        if (before == 0 || before == key) {
            table_values[place] = value;
            return;
        }
        place = (place + 1) & 524287;
    }
}
