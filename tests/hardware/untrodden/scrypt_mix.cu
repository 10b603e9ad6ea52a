/*
[kernel]
title   = "The mixing of scrypt: sixteen words are stored 64 times, then read back where their own bits say; a thread for each password"

[parameters]
blocks = { default = 132 }

[buffers]
words = { type = "u32", length = "blocks * 64 * 16", fill = "random", seed = "2601", below = "4294967295" }
scratch = { type = "u32", length = "blocks * 64 * 1024", fill = "zero" }
out = { type = "u32", length = "blocks * 64 * 16", fill = "zero" }

[launch]
arguments = ["words", "scratch", "out"]
grid  = ["blocks"]
block = ["64"]
*/
__device__ __forceinline__ unsigned turn(unsigned x, int by) { return __funnelshift_l(x, x, by); }

__device__ __forceinline__ void quarter(unsigned& a, unsigned& b, unsigned& c, unsigned& d) {
    b ^= turn(a + d, 7);
    c ^= turn(b + a, 9);
    d ^= turn(c + b, 13);
    a ^= turn(d + c, 18);
}

__device__ __forceinline__ void salsa(unsigned (&x)[16]) {
    unsigned y[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) y[i] = x[i];
#pragma unroll 1
    for (int round = 0; round < 4; ++round) {
        quarter(y[0], y[4], y[8], y[12]);
        quarter(y[5], y[9], y[13], y[1]);
        quarter(y[10], y[14], y[2], y[6]);
        quarter(y[15], y[3], y[7], y[11]);
        quarter(y[0], y[1], y[2], y[3]);
        quarter(y[5], y[6], y[7], y[4]);
        quarter(y[10], y[11], y[8], y[9]);
        quarter(y[15], y[12], y[13], y[14]);
    }
#pragma unroll
    for (int i = 0; i < 16; ++i) x[i] += y[i];
}

extern "C" __global__ void scrypt_mix(const uint4* __restrict__ words, uint4* __restrict__ scratch, uint4* __restrict__ out) {
    const int thread = blockIdx.x * 64 + threadIdx.x;
    uint4* const mine = scratch + thread * 256;
    unsigned x[16];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const uint4 four = words[thread * 4 + i];
        x[4 * i] = four.x, x[4 * i + 1] = four.y, x[4 * i + 2] = four.z, x[4 * i + 3] = four.w;
    }
    for (int step = 0; step < 64; ++step) {
#pragma unroll
        for (int i = 0; i < 4; ++i) mine[step * 4 + i] = make_uint4(x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]);
        salsa(x);
    }
    for (int step = 0; step < 64; ++step) {
        const uint4* const from = mine + x[0] % 64 * 4;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const uint4 four = from[i];
            x[4 * i] ^= four.x, x[4 * i + 1] ^= four.y, x[4 * i + 2] ^= four.z, x[4 * i + 3] ^= four.w;
        }
        salsa(x);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) out[thread * 4 + i] = make_uint4(x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]);
}
