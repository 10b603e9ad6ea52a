/*
[kernel]
title   = "Longest common subsequence of pairs of 64 letters: a pair per thread, a column of the table in the bits of two words"

[parameters]
pairs = { default = 33792 }

[buffers]
left = { type = "u8", length = "pairs * 64", fill = "random", seed = "1004", below = "4" }
right = { type = "u8", length = "pairs * 64", fill = "random", seed = "1005", below = "4" }
longest = { type = "u32", length = "pairs", fill = "zero" }

[launch]
arguments = ["left", "right", "longest"]
grid  = ["pairs // 128"]
block = ["128"]
*/
extern "C" __global__ void lcs_bits(const uint4* __restrict__ left, const uint4* __restrict__ right, unsigned* __restrict__ longest) {
    const int pair = blockIdx.x * 128 + threadIdx.x;
    unsigned long long at[4] = {0, 0, 0, 0};
    for (int q = 0; q < 4; ++q) {
        const uint4 part = left[pair * 4 + q];
        const unsigned words[4] = {part.x, part.y, part.z, part.w};
        for (int i = 0; i < 16; ++i) {
            const unsigned letter = words[i / 4] >> (i % 4 * 8) & 3;
            for (unsigned c = 0; c < 4; ++c) at[c] |= (unsigned long long)(letter == c) << (q * 16 + i);
        }
    }
    unsigned long long column = ~0ull;
    for (int q = 0; q < 4; ++q) {
        const uint4 part = right[pair * 4 + q];
        const unsigned words[4] = {part.x, part.y, part.z, part.w};
        for (int i = 0; i < 16; ++i) {
            const unsigned letter = words[i / 4] >> (i % 4 * 8) & 3;
            const unsigned long long lower = letter & 1 ? at[1] : at[0], upper = letter & 1 ? at[3] : at[2];
            const unsigned long long both = column & (letter & 2 ? upper : lower);
            column = (column + both) | (column - both);
        }
    }
    longest[pair] = __popcll(~column);
}
