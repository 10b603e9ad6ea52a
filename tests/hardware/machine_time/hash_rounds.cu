/*
[kernel]
title   = "Integer hashing: multiplications, shifts, exclusive ors"

[parameters]
n = { default = 262144 }
rounds = { default = 64 }

[buffers]
out = { type = "u32", length = "n", fill = "zero" }

[launch]
arguments = ["out", "n", "rounds"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
*/
extern "C" __global__ void hash_rounds(unsigned* out, int n, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned h = i * 2654435761u, k = i ^ 0x9e3779b9u;
    for (int r = 0; r < rounds; ++r) {
        k *= 0xcc9e2d51u;
        k = k << 15 | k >> 17;
        h ^= k * 0x1b873593u;
        h = h << 13 | h >> 19;
        h = h * 5 + 0xe6546b64u + r;
        k += h;
    }
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    out[i] = h ^ h >> 13;
}
