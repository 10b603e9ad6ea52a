/*
[kernel]
title   = "Where keys would stand in a table with gaps that is sorted: binary search"

[parameters]
keys = { default = 405504 }
entries = { default = 16384 }

[buffers]
key = { type = "u32", length = "keys", fill = "random", seed = "1604", below = "65536" }
table = { type = "u32", length = "entries", fill = "formula", value = "i * 4 + i % 3" }
place = { type = "u32", length = "keys", fill = "zero" }

[launch]
arguments = ["key", "table", "place", "keys", "entries"]
grid  = ["ceil_div(keys, 256)"]
block = ["256"]
*/
extern "C" __global__ void lower_bounds(const unsigned* __restrict__ key, const unsigned* __restrict__ table,
                                        unsigned* __restrict__ place, int keys, int entries) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= keys) return;
    const unsigned wanted = key[i];
    int low = 0, high = entries;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (table[middle] < wanted) low = middle + 1;
        else high = middle;
    }
    place[i] = low;
}
