/*
[kernel]
title   = "A generation of the game of life, 32 cells in a word, by additions of bits"

[parameters]
words = { default = 64 }
height = { default = 2048 }

[buffers]
in = { type = "u32", length = "words * height", fill = "random", seed = "127", below = "4294967295" }
out = { type = "u32", length = "words * height", fill = "zero" }

[launch]
arguments = ["in", "out", "words", "height"]
grid  = ["words // 32", "height // 4"]
block = ["32", "4"]
*/
extern "C" __global__ void life_bits(const unsigned* __restrict__ in, unsigned* __restrict__ out, int words, int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    const int left = (x + words - 1) % words, right = (x + 1) % words;
    unsigned ones[3], twos[3], own = 0;
    for (int i = 0; i < 3; ++i) {
        const unsigned* row = in + (y + i - 1 + height) % height * words;
        const unsigned middle = row[x], west = middle << 1 | row[left] >> 31, east = middle >> 1 | row[right] << 31;
        if (i == 1) {
            own = middle;
            ones[i] = west ^ east;
            twos[i] = west & east;
        } else {
            ones[i] = west ^ middle ^ east;
            twos[i] = (west & middle) | (east & (west ^ middle));
        }
    }
    const unsigned one = ones[0] ^ ones[1] ^ ones[2], carry = (ones[0] & ones[1]) | (ones[2] & (ones[0] ^ ones[1]));
    const unsigned a = twos[0] ^ twos[1], b = twos[2] ^ carry;
    const unsigned two = a ^ b, more = (twos[0] & twos[1]) | (twos[2] & carry) | (a & b);
    out[y * words + x] = two & ~more & (one | own);
}
