/*
[kernel]
title   = "Edit distance of pairs of words of 24 letters, a row of the table in local memory, one pair per thread"

[parameters]
pairs = { default = 67584 }
letters = { default = 24, macro = true }

[buffers]
first = { type = "u8", length = "pairs * letters", fill = "random", seed = "509", below = "4" }
second = { type = "u8", length = "pairs * letters", fill = "random", seed = "510", below = "4" }
distances = { type = "u32", length = "pairs", fill = "zero" }

[launch]
arguments = ["first", "second", "distances", "pairs"]
grid  = ["pairs // 128"]
block = ["128"]
*/
extern "C" __global__ void levenshtein(const unsigned char* __restrict__ first, const unsigned char* __restrict__ second,
                                       unsigned* __restrict__ distances, int pairs) {
    const int pair = blockIdx.x * 128 + threadIdx.x;
    unsigned row[letters + 1];
    for (int i = 0; i <= letters; ++i) row[i] = i;
    for (int j = 0; j < letters; ++j) {
        unsigned diagonal = row[0];
        row[0] = j + 1;
        const unsigned char letter = second[j * pairs + pair];
#pragma unroll 1
        for (int i = 0; i < letters; ++i) {
            const unsigned above = row[i + 1];
            unsigned best = diagonal;
            if (first[i * pairs + pair] != letter) best = min(min(above, row[i]), diagonal) + 1;
            row[i + 1] = best;
            diagonal = above;
        }
    }
    distances[pair] = row[letters];
}
