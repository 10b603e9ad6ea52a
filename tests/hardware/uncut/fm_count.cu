/*
[kernel]
title   = "Backward search in a full-text index: occurrences of a pattern of 12 letters, one thread per pattern"

[parameters]
patterns = { default = 135168 }
rows = { default = 262144 }

[buffers]
occurrences = { type = "u32", length = "4 * (rows // 64 + 1)", fill = "formula", value = "(i // 4) * 16 + i % 4" }
text = { type = "u32", length = "rows // 16", fill = "random", seed = "842", below = "2147483648" }
pattern = { type = "u32", length = "patterns", fill = "random", seed = "843", below = "16777216" }
found = { type = "u32", length = "patterns", fill = "zero" }

[launch]
arguments = ["occurrences", "text", "pattern", "found", "patterns", "rows"]
grid  = ["ceil_div(patterns, 128)"]
block = ["128"]
*/
extern "C" __global__ void fm_count(const unsigned* __restrict__ occurrences, const unsigned* __restrict__ text,
                                    const unsigned* __restrict__ pattern, unsigned* __restrict__ found, int patterns,
                                    int rows) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= patterns) return;
    unsigned letters = pattern[i], low = 0, high = rows;
    for (int at = 0; at < 12 && low < high; ++at) {
        const unsigned letter = letters & 3;
        letters >>= 2;
        const unsigned places[2] = {low, high};
        unsigned next[2];
        for (int side = 0; side < 2; ++side) {
            const unsigned block = places[side] / 64, rest = places[side] % 64;
            unsigned count = occurrences[4 * block + letter];
            for (unsigned word = 0; word < rest / 16; ++word) {
                const unsigned same = ~(text[block * 4 + word] ^ letter * 0x55555555u);
                count += __popc(same & same >> 1 & 0x55555555u);
            }
            next[side] = letter * (rows / 4) + count % (rows / 4);
        }
        low = min(next[0], next[1]);
        high = max(next[0], next[1]);
    }
    found[i] = high - low;
}
