/*
[kernel]
title   = "A hash of 64 bytes for each thread, in the manner of murmur"

[parameters]
blocks = { default = 202752 }

[buffers]
words = { type = "u32", length = "blocks * 16", fill = "random", seed = "1609", below = "4294967295" }
hashes = { type = "u32", length = "blocks", fill = "zero" }

[launch]
arguments = ["words", "hashes", "blocks"]
grid  = ["ceil_div(blocks, 128)"]
block = ["128"]
*/
extern "C" __global__ void word_mixes(const uint4* __restrict__ words, unsigned* __restrict__ hashes, int blocks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= blocks) return;
    unsigned hash = 0x9747b28cu;
    const auto mix = [&](unsigned word) {
        word *= 0xcc9e2d51u;
        word = word << 15 | word >> 17;
        hash ^= word * 0x1b873593u;
        hash = (hash << 13 | hash >> 19) * 5 + 0xe6546b64u;
    };
    for (int k = 0; k < 4; ++k) {
        const uint4 four = words[i * 4 + k];
        mix(four.x);
        mix(four.y);
        mix(four.z);
        mix(four.w);
    }
    hash ^= hash >> 16;
    hash *= 0x85ebca6bu;
    hash ^= hash >> 13;
    hashes[i] = hash;
}
