/*
[kernel]
title   = "A finite automaton of 48 states over 256 bytes each: one stream per thread, the next state a byte in shared memory"

[parameters]
streams = { default = 33792 }
length = { default = 64 }

[buffers]
table = { type = "u8", length = "48 * 64", fill = "formula", value = "random(48)", seed = "917" }
text = { type = "u32", length = "streams * length // 4", fill = "random", below = "4294967296", seed = "918" }
ends = { type = "u32", length = "streams", fill = "zero" }

[launch]
arguments = ["table", "text", "ends", "streams", "length"]
grid  = ["streams // 256"]
block = ["256"]
*/
extern "C" __global__ void dfa_bytes(const unsigned char* __restrict__ table, const unsigned* __restrict__ text, unsigned* ends, int streams, int length) {
    __shared__ unsigned char next[48 * 64];
    for (int i = threadIdx.x; i < 48 * 64; i += 256) next[i] = table[i];
    __syncthreads();
    const int stream = blockIdx.x * 256 + threadIdx.x;
    unsigned state = 0, accepted = 0;
    for (int i = 0; i < length / 4; ++i) {
        unsigned word = text[i * streams + stream];
        for (int byte = 0; byte < 4; ++byte) {
            state = next[state * 64 + (word & 63)];
            accepted += state > 40;
            word >>= 8;
        }
    }
    ends[stream] = state | accepted << 8;
}
