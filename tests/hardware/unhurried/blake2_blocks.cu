/*
[kernel]
title   = "One block of 128 bytes of BLAKE2b for each thread, twelve rounds of 64-bit words"

[parameters]
messages = { default = 33792 }

[buffers]
words = { type = "u64", length = "messages * 16", fill = "random", seed = "1836", below = "4294967296" }
hashes = { type = "u64", length = "messages * 8", fill = "zero" }

[launch]
arguments = ["words", "hashes", "messages"]
grid  = ["messages // 128"]
block = ["128"]
*/
__device__ unsigned long long turned(unsigned long long x, int n) {
    return (x >> n) | (x << (64 - n));
}
#define MIX(a, b, c, d, x, y) \
    a += b + x; d = turned(d ^ a, 32); c += d; b = turned(b ^ c, 24); a += b + y; d = turned(d ^ a, 16); c += d; b = turned(b ^ c, 63);
#define ROUND(s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sa, sb, sc, sd, se, sf) \
    MIX(v0, v4, v8, vc, m[s0], m[s1]) MIX(v1, v5, v9, vd, m[s2], m[s3]) MIX(v2, v6, va, ve, m[s4], m[s5]) MIX(v3, v7, vb, vf, m[s6], m[s7]) \
    MIX(v0, v5, va, vf, m[s8], m[s9]) MIX(v1, v6, vb, vc, m[sa], m[sb]) MIX(v2, v7, v8, vd, m[sc], m[sd]) MIX(v3, v4, v9, ve, m[se], m[sf])
extern "C" __global__ void blake2_blocks(const unsigned long long* __restrict__ words, unsigned long long* __restrict__ hashes, int messages) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    unsigned long long m[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) m[k] = words[k * messages + i];
    const unsigned long long h0 = 0x6a09e667f2bdc948ull, h1 = 0xbb67ae8584caa73bull, h2 = 0x3c6ef372fe94f82bull, h3 = 0xa54ff53a5f1d36f1ull;
    const unsigned long long h4 = 0x510e527fade682d1ull, h5 = 0x9b05688c2b3e6c1full, h6 = 0x1f83d9abfb41bd6bull, h7 = 0x5be0cd19137e2179ull;
    unsigned long long v0 = h0, v1 = h1, v2 = h2, v3 = h3, v4 = h4, v5 = h5, v6 = h6, v7 = h7;
    unsigned long long v8 = 0x6a09e667f3bcc908ull, v9 = h1, va = h2, vb = h3, vc = h4 ^ 128, vd = h5, ve = ~h6, vf = h7;
    ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
    ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4)
    ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8)
    ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13)
    ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9)
    ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11)
    ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10)
    ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5)
    ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0)
    ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
    unsigned long long* out = hashes + i;
    out[0] = h0 ^ v0 ^ v8;
    out[messages] = h1 ^ v1 ^ v9;
    out[2 * messages] = h2 ^ v2 ^ va;
    out[3 * messages] = h3 ^ v3 ^ vb;
    out[4 * messages] = h4 ^ v4 ^ vc;
    out[5 * messages] = h5 ^ v5 ^ vd;
    out[6 * messages] = h6 ^ v6 ^ ve;
    out[7 * messages] = h7 ^ v7 ^ vf;
}
