/*
[kernel]
title   = "Patterns of 12 letters searched in an array of suffixes: halving, with a comparison letter by letter; a thread a pattern"

[parameters]
patterns = { default = 67584 }

[buffers]
text = { type = "u8", length = "65536 + 16", fill = "formula", value = "i * i // 7 % 4" }
suffixes = { type = "u32", length = "65536", fill = "formula", value = "(i * 40503) % 65536" }
wanted = { type = "u8", length = "patterns * 12", fill = "random", seed = "2031", below = "4" }
places = { type = "u32", length = "patterns", fill = "zero" }

[launch]
arguments = ["text", "suffixes", "wanted", "places"]
grid  = ["patterns // 128"]
block = ["128"]
*/
extern "C" __global__ void suffix_search(const unsigned char* __restrict__ text, const unsigned* __restrict__ suffixes,
                                         const unsigned char* __restrict__ wanted, unsigned* __restrict__ places) {
    const unsigned pattern = blockIdx.x * 128 + threadIdx.x;
    const unsigned char* const mine = wanted + pattern * 12;
    unsigned low = 0, high = 65536;
    while (low < high) {
        const unsigned middle = (low + high) / 2, begin = suffixes[middle];
        int order = 0;
        for (int k = 0; k < 12 && order == 0; ++k) order = int(text[begin + k]) - int(mine[k]);
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    places[pattern] = low;
}
