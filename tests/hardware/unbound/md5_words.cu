/*
[kernel]
title   = "MD5 of messages of 56 bytes, one for each thread, words of a message apart by the number of messages"

[parameters]
messages = { default = 135168 }

[buffers]
words = { type = "u32", length = "messages * 14", fill = "random", seed = "1709", below = "2147483647" }
digests = { type = "u32", length = "messages * 4", fill = "zero" }

[launch]
arguments = ["words", "digests", "messages"]
grid  = ["messages // 128"]
block = ["128"]
*/
extern "C" __global__ void md5_words(const unsigned* __restrict__ words, unsigned* __restrict__ digests, int messages) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= messages) return;
    unsigned m[16];
#pragma unroll
    for (int k = 0; k < 14; ++k) m[k] = words[k * messages + i];
    m[14] = 448;
    m[15] = 0;
    unsigned a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;
    const int turns[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
#pragma unroll
    for (int k = 0; k < 64; ++k) {
        unsigned g;
        int at;
        if (k < 16) {
            g = (b & c) | (~b & d);
            at = k;
        } else if (k < 32) {
            g = (d & b) | (~d & c);
            at = (5 * k + 1) % 16;
        } else if (k < 48) {
            g = b ^ c ^ d;
            at = (3 * k + 5) % 16;
        } else {
            g = c ^ (b | ~d);
            at = 7 * k % 16;
        }
        const unsigned sum = a + g + m[at] + (0x9e3779b9u * (k + 1) ^ 0x5a5a5a5au), by = turns[k / 16 * 4 + k % 4];
        a = d;
        d = c;
        c = b;
        b += sum << by | sum >> (32 - by);
    }
    digests[4 * i] = a + 0x67452301u;
    digests[4 * i + 1] = b + 0xefcdab89u;
    digests[4 * i + 2] = c + 0x98badcfeu;
    digests[4 * i + 3] = d + 0x10325476u;
}
