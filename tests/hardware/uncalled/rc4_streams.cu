/*
[kernel]
title   = "RC4: 256 bytes of state for each thread in shared memory, mixed by its key, then 64 bytes of its stream"

[parameters]
streams = { default = 8448 }

[buffers]
keys = { type = "u8", length = "streams * 16", fill = "random", seed = "2061", below = "256" }
out = { type = "u32", length = "streams * 16", fill = "zero" }

[launch]
arguments = ["keys", "out", "streams"]
grid  = ["streams // 64"]
block = ["64"]
*/
extern "C" __global__ void rc4_streams(const unsigned char* __restrict__ keys, unsigned* __restrict__ out, int streams) {
    __shared__ unsigned char states[256][64];
    const int stream = blockIdx.x * 64 + threadIdx.x, mine = threadIdx.x;
    for (int i = 0; i < 256; ++i) states[i][mine] = i;
    unsigned j = 0;
    for (int i = 0; i < 256; ++i) {
        const unsigned a = states[i][mine];
        j = (j + a + keys[stream * 16 + i % 16]) & 255;
        states[i][mine] = states[j][mine];
        states[j][mine] = a;
    }
    unsigned i = 0;
    j = 0;
    for (int word = 0; word < 16; ++word) {
        unsigned bytes = 0;
        for (int k = 0; k < 4; ++k) {
            i = (i + 1) & 255;
            const unsigned a = states[i][mine];
            j = (j + a) & 255;
            const unsigned b = states[j][mine];
            states[i][mine] = b;
            states[j][mine] = a;
            bytes |= unsigned(states[(a + b) & 255][mine]) << (8 * k);
        }
        out[word * streams + stream] = bytes;
    }
}
