/*
[kernel]
title   = "XTEA in counter mode: each thread enciphers two blocks of eight bytes in 32 rounds"

[parameters]
blocks = { default = 528 }

[buffers]
text = { type = "u32", length = "blocks * 1024", fill = "random", seed = "2201", below = "4294967295" }
cipher = { type = "u32", length = "blocks * 1024", fill = "zero" }

[launch]
arguments = ["text", "cipher"]
grid  = ["blocks"]
block = ["256"]
*/
extern "C" __global__ void xtea_blocks(const uint4* __restrict__ text, uint4* __restrict__ cipher) {
    const unsigned key[4] = {0x0f1e2d3cu, 0x4b5a6978u, 0x8796a5b4u, 0xc3d2e1f0u};
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    unsigned a = 2 * i, b = 77, c = 2 * i + 1, d = 77, sum = 0;
#pragma unroll 8
    for (int round = 0; round < 32; ++round) {
        a += (((b << 4) ^ (b >> 5)) + b) ^ (sum + key[sum & 3]);
        c += (((d << 4) ^ (d >> 5)) + d) ^ (sum + key[sum & 3]);
        sum += 0x9e3779b9u;
        b += (((a << 4) ^ (a >> 5)) + a) ^ (sum + key[(sum >> 11) & 3]);
        d += (((c << 4) ^ (c >> 5)) + c) ^ (sum + key[(sum >> 11) & 3]);
    }
    const uint4 plain = text[i];
    cipher[i] = make_uint4(plain.x ^ a, plain.y ^ b, plain.z ^ c, plain.w ^ d);
}
