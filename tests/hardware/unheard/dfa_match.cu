/*
[kernel]
title   = "An automaton over lines of text: a table of states in shared memory, out at the first match"

[parameters]
lines = { default = 135168 }

[buffers]
table = { type = "u8", length = "32 * 16", fill = "random", seed = "921", below = "32" }
text = { type = "u8", length = "lines * 64", fill = "random", seed = "922", below = "256" }
matched = { type = "i8", length = "lines", fill = "zero" }

[launch]
arguments = ["table", "text", "matched", "lines"]
grid  = ["ceil_div(lines, 256)"]
block = ["256"]
*/
extern "C" __global__ void dfa_match(const unsigned char* __restrict__ table, const unsigned char* __restrict__ text,
                                     signed char* __restrict__ matched, int lines) {
    __shared__ unsigned char next[32 * 16];
    for (int i = threadIdx.x; i < 32 * 16; i += blockDim.x) next[i] = table[i];
    __syncthreads();
    const int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= lines) return;
    int state = 0, at = 0;
    for (; at < 64; ++at) {
        const unsigned char byte = text[at * lines + line];
        if (byte == 10) continue;
        if (byte >= 250) state = 0;
        state = next[state * 16 + (byte & 15)];
        if (state == 31) break;
    }
    matched[line] = (signed char)at;
}
