/*
[kernel]
title   = "SHA-256 of messages of 64 bytes with all 64 rounds unrolled, one message per thread"

[parameters]
n = { default = 135168 }

[buffers]
messages = { type = "u32", length = "n * 16", fill = "random", seed = "426", below = "4294967295" }
constants = { type = "u32", length = "64", fill = "random", seed = "427", below = "4294967295" }
digests = { type = "u32", length = "n * 8", fill = "zero" }

[launch]
arguments = ["messages", "constants", "digests"]
grid  = ["n // 128"]
block = ["128"]
*/
__device__ unsigned turned(unsigned x, int by) { return __funnelshift_r(x, x, by); }
extern "C" __global__ void sha256_chunks(const uint4* __restrict__ messages, const unsigned* __restrict__ constants,
                                         uint4* __restrict__ digests) {
    const int at = blockIdx.x * 128 + threadIdx.x;
    unsigned w[16];
    for (int i = 0; i < 4; ++i) {
        const uint4 four = messages[at * 4 + i];
        w[i * 4] = four.x, w[i * 4 + 1] = four.y, w[i * 4 + 2] = four.z, w[i * 4 + 3] = four.w;
    }
    unsigned s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
#pragma unroll
    for (int i = 0; i < 64; ++i) {
        if (i >= 16) {
            const unsigned x = w[(i + 1) % 16], y = w[(i + 14) % 16];
            w[i % 16] += (turned(x, 7) ^ turned(x, 18) ^ x >> 3) + w[(i + 9) % 16] +
                         (turned(y, 17) ^ turned(y, 19) ^ y >> 10);
        }
        const unsigned choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        const unsigned major = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const unsigned t = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + choice + constants[i] + w[i % 16];
        const unsigned u = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + major;
        s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + t, s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = t + u;
    }
    digests[at * 2] = make_uint4(s[0], s[1], s[2], s[3]);
    digests[at * 2 + 1] = make_uint4(s[4], s[5], s[6], s[7]);
}
