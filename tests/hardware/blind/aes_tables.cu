/*
[kernel]
title   = "AES-128 in counter mode: four tables in shared memory, ten rounds, one block of 16 bytes per thread"

[parameters]
n = { default = 524288 }

[buffers]
tables = { type = "u32", length = "1024", fill = "random", seed = "401", below = "4294967295" }
keys = { type = "u32", length = "44", fill = "random", seed = "402", below = "4294967295" }
text = { type = "u32", length = "n * 4", fill = "random", seed = "403", below = "4294967295" }
cipher = { type = "u32", length = "n * 4", fill = "zero" }

[launch]
arguments = ["tables", "keys", "text", "cipher", "n"]
grid  = ["n // 256"]
block = ["256"]
*/
__device__ unsigned mix(const unsigned (*t)[256], unsigned a, unsigned b, unsigned c, unsigned d, unsigned key) {
    return t[0][a >> 24] ^ t[1][b >> 16 & 255] ^ t[2][c >> 8 & 255] ^ t[3][d & 255] ^ key;
}
extern "C" __global__ void aes_tables(const unsigned* __restrict__ tables, const unsigned* __restrict__ keys,
                                      const uint4* __restrict__ text, uint4* __restrict__ cipher, unsigned n) {
    __shared__ unsigned t[4][256], key[44];
    for (int i = 0; i < 4; ++i) t[i][threadIdx.x] = tables[i * 256 + threadIdx.x];
    if (threadIdx.x < 44) key[threadIdx.x] = keys[threadIdx.x];
    __syncthreads();
    const unsigned at = blockIdx.x * 256 + threadIdx.x;
    if (at >= n) return;
    unsigned a = key[0], b = key[1], c = key[2], d = at ^ key[3];
    for (int round = 1; round < 10; ++round) {
        const unsigned x = mix(t, a, b, c, d, key[round * 4]), y = mix(t, b, c, d, a, key[round * 4 + 1]);
        const unsigned z = mix(t, c, d, a, b, key[round * 4 + 2]), w = mix(t, d, a, b, c, key[round * 4 + 3]);
        a = x, b = y, c = z, d = w;
    }
    const uint4 own = text[at];
    cipher[at] = make_uint4(own.x ^ a ^ key[40], own.y ^ b ^ key[41], own.z ^ c ^ key[42], own.w ^ d ^ key[43]);
}
