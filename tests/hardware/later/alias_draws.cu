/*
[kernel]
title   = "Draws from a table of 65,536 weights by the alias method: eight hashed draws per thread, each a gather of 8 bytes"

[parameters]
threads = { default = 67584 }

[buffers]
table = { type = "u64", length = "65536", fill = "random", seed = "1020", below = "9007199254740991" }
drawn = { type = "u32", length = "threads * 8", fill = "zero" }

[launch]
arguments = ["table", "drawn", "threads"]
grid  = ["threads // 256"]
block = ["256"]
*/
extern "C" __global__ void alias_draws(const uint2* __restrict__ table, unsigned* __restrict__ drawn, int threads) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    unsigned state = i * 747796405u + 2891336453u;
    for (int k = 0; k < 8; ++k) {
        state = state * 747796405u + 2891336453u;
        const unsigned word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u, hashed = (word >> 22) ^ word;
        const uint2 entry = table[hashed & 65535];
        drawn[k * threads + i] = (hashed >> 16) * 32u < entry.y ? hashed & 65535 : entry.x & 65535;
    }
}
