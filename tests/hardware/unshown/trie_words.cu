/*
[kernel]
title   = "Words looked up in a trie of 4-bit digits, one thread per word, until a child is missing"

[parameters]
words = { default = 135168 }
nodes = { default = 4096 }

[buffers]
children = { type = "u32", length = "nodes * 16", fill = "random", seed = "1131", below = "6000" }
text = { type = "u32", length = "words", fill = "random", seed = "1132", below = "4294967295" }
depths = { type = "u8", length = "words", fill = "zero" }

[launch]
arguments = ["children", "text", "depths", "nodes", "words"]
grid  = ["ceil_div(words, 256)"]
block = ["256"]
*/
extern "C" __global__ void trie_words(const unsigned* children, const unsigned* text, unsigned char* depths,
                                      unsigned nodes, int words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words) return;
    unsigned word = text[i], node = 0;
    int depth = 0;
    for (; depth < 8; ++depth) {
        const unsigned child = children[node * 16 + (word & 15)];
        if (child >= nodes) break;
        node = child;
        word >>= 4;
    }
    depths[i] = (unsigned char)depth;
}
