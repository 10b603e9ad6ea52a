/*
[kernel]
title   = "Keys looked up in a cuckoo hash table of two halves with buckets of four"

[parameters]
keys = { default = 135168 }

[buffers]
table = { type = "u32", length = "2 * 4096 * 4", fill = "random", seed = "1911", below = "65536" }
wanted = { type = "u32", length = "keys", fill = "random", seed = "1912", below = "65536" }
place = { type = "i32", length = "keys", fill = "zero" }

[launch]
arguments = ["table", "wanted", "place", "keys"]
grid  = ["ceil_div(keys, 256)"]
block = ["256"]
*/
extern "C" __global__ void cuckoo_find(const unsigned* __restrict__ table,
                                       const unsigned* __restrict__ wanted, int* __restrict__ place,
                                       int keys) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= keys) return;
    const unsigned key = wanted[i];
    for (int half = 0; half < 2; ++half) {
        const unsigned bucket = (key * (half ? 2654435769u : 40503u) >> 7) & 4095u;
        for (int slot = 0; slot < 4; ++slot) {
            const int at = (half * 4096 + bucket) * 4 + slot;
            if (table[at] == key) {
                place[i] = at;
                return;
            }
        }
    }
    place[i] = -1;
}
