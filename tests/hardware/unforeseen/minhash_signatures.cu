/*
[kernel]
title   = "Signatures of documents: for each of 64 hash functions the least value over the words of a document, a warp for a document"

[parameters]
documents = { default = 4224 }

[buffers]
words = { type = "u32", length = "documents * 96", fill = "random", seed = "1512", below = "50000" }
lengths = { type = "i32", length = "documents", fill = "formula", value = "48 + random(48)", seed = "1513" }
factors = { type = "u32", length = "128", fill = "random", seed = "1514", below = "2147483646" }
signatures = { type = "u32", length = "documents * 64", fill = "zero" }

[launch]
arguments = ["words", "lengths", "factors", "signatures", "documents"]
grid  = ["documents // 8"]
block = ["256"]
*/
extern "C" __global__ void minhash_signatures(const unsigned* __restrict__ words, const int* __restrict__ lengths,
                                              const unsigned* __restrict__ factors, unsigned* __restrict__ signatures,
                                              int documents) {
    const int lane = threadIdx.x % 32, document = blockIdx.x * 8 + threadIdx.x / 32;
    if (document >= documents) return;
    const unsigned a0 = factors[lane], a1 = factors[lane + 32], b0 = factors[lane + 64], b1 = factors[lane + 96];
    const unsigned* text = words + document * 96;
    const int length = lengths[document];
    unsigned least0 = 0xffffffffu, least1 = 0xffffffffu;
    for (int begin = 0; begin < length; begin += 32) {
        const unsigned mine = begin + lane < length ? text[begin + lane] : 0;
        const int count = min(32, length - begin);
        for (int i = 0; i < count; ++i) {
            const unsigned word = __shfl_sync(0xffffffffu, mine, i);
            unsigned h0 = word * a0 + b0, h1 = word * a1 + b1;
            h0 ^= h0 >> 15;
            h1 ^= h1 >> 15;
            least0 = min(least0, h0 * 0x85ebca6bu);
            least1 = min(least1, h1 * 0x85ebca6bu);
        }
    }
    signatures[document * 64 + lane] = least0;
    signatures[document * 64 + lane + 32] = least1;
}
