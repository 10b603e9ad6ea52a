/*
[kernel]
title   = "ChaCha20: one block of 64 bytes per thread, sixteen words in registers, text read and written as four uint4"

[parameters]
n = { default = 202752 }

[buffers]
text = { type = "u32", length = "n * 16", fill = "random", seed = "733", below = "4294967295" }
key = { type = "u32", length = "11", fill = "random", seed = "734", below = "4294967295" }
out = { type = "u32", length = "n * 16", fill = "zero" }

[launch]
arguments = ["text", "key", "out"]
grid  = ["n // 192"]
block = ["192"]
*/
__device__ __forceinline__ void quarter(unsigned& a, unsigned& b, unsigned& c, unsigned& d) {
    a += b; d ^= a; d = __funnelshift_l(d, d, 16);
    c += d; b ^= c; b = __funnelshift_l(b, b, 12);
    a += b; d ^= a; d = __funnelshift_l(d, d, 8);
    c += d; b ^= c; b = __funnelshift_l(b, b, 7);
}
extern "C" __global__ void chacha_blocks(const uint4* __restrict__ text, const unsigned* __restrict__ key,
                                         uint4* __restrict__ out) {
    const unsigned block = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned first[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, x[16];
    for (int i = 0; i < 8; ++i) first[4 + i] = key[i];
    first[12] = block;
    for (int i = 0; i < 3; ++i) first[13 + i] = key[8 + i];
    for (int i = 0; i < 16; ++i) x[i] = first[i];
#pragma unroll 2
    for (int round = 0; round < 10; ++round) {
        quarter(x[0], x[4], x[8], x[12]);
        quarter(x[1], x[5], x[9], x[13]);
        quarter(x[2], x[6], x[10], x[14]);
        quarter(x[3], x[7], x[11], x[15]);
        quarter(x[0], x[5], x[10], x[15]);
        quarter(x[1], x[6], x[11], x[12]);
        quarter(x[2], x[7], x[8], x[13]);
        quarter(x[3], x[4], x[9], x[14]);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        uint4 part = text[block * 4 + i];
        part.x ^= x[i * 4] + first[i * 4];
        part.y ^= x[i * 4 + 1] + first[i * 4 + 1];
        part.z ^= x[i * 4 + 2] + first[i * 4 + 2];
        part.w ^= x[i * 4 + 3] + first[i * 4 + 3];
        out[block * 4 + i] = part;
    }
}
