/*
[kernel]
title   = "A step of prefix doubling for a suffix array: each thread joins the ranks at its place and 16 further to a key, for the order of an index"

[parameters]
n = { default = 405504 }

[buffers]
order = { type = "u32", length = "n", fill = "formula", value = "(i * 7919) % 405504" }
ranks = { type = "u32", length = "n + 16", fill = "random", seed = "1021", below = "405504" }
keys = { type = "u64", length = "n", fill = "zero" }
fresh = { type = "u32", length = "n", fill = "zero" }

[launch]
arguments = ["order", "ranks", "keys", "fresh", "n"]
grid  = ["n // 512"]
block = ["256"]
*/
extern "C" __global__ void rank_pairs(const unsigned* __restrict__ order, const unsigned* __restrict__ ranks,
                                      unsigned long long* __restrict__ keys, unsigned* __restrict__ fresh, int n) {
    for (int i = blockIdx.x * 512 + threadIdx.x, end = i + 512; i < end; i += 256) {
        const unsigned place = order[i];
        const unsigned long long key = (unsigned long long)ranks[place] << 32 | ranks[place + 16];
        keys[i] = key;
        const unsigned before = __shfl_up_sync(~0u, unsigned(key >> 32), 1);
        fresh[place] = threadIdx.x % 32 == 0 || before != unsigned(key >> 32);
    }
}
