/*
[kernel]
title   = "One generation of the game of life on cells of one bit, 32 in a word, on a torus"

[parameters]
words = { default = 64 }
rows = { default = 8448 }

[buffers]
now = { type = "u32", length = "words * rows", fill = "random", seed = "1851", below = "4294967295" }
next = { type = "u32", length = "words * rows", fill = "zero" }

[launch]
arguments = ["now", "next", "words", "rows"]
grid  = ["words / 32", "ceil_div(rows, 8)"]
block = ["32", "8"]
*/
extern "C" __global__ void life_words(const unsigned* __restrict__ now, unsigned* __restrict__ next, int words,
                                      int rows) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= words || y >= rows) return;
    const int left = x == 0 ? words - 1 : x - 1, right = x == words - 1 ? 0 : x + 1;
    unsigned ones = 0, twos = 0, fours = 0;
    const auto add = [&](unsigned cells) {
        const unsigned carry = ones & cells;
        ones ^= cells;
        fours |= twos & carry;
        twos ^= carry;
    };
    unsigned own = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        const int row = (y + dy + rows) % rows;
        const unsigned* line = now + row * words;
        const unsigned here = line[x];
        add(here << 1 | line[left] >> 31);
        add(here >> 1 | line[right] << 31);
        if (dy == 0) own = here;
        else add(here);
    }
    next[y * words + x] = twos & ~fours & (ones | own);
}
