/*
[kernel]
title   = "Binary range decoder with an adaptive model: one stream of bits per thread"

[parameters]
streams = { default = 33792 }
symbols = { default = 64 }

[buffers]
coded = { type = "u8", length = "streams * 32", fill = "random", seed = "2631", below = "256" }
decoded = { type = "u32", length = "streams * 2", fill = "zero" }

[launch]
arguments = ["coded", "decoded", "streams", "symbols"]
grid  = ["ceil_div(streams, 128)"]
block = ["128"]
*/
extern "C" __global__ void range_decode(const unsigned char* __restrict__ coded,
                                        unsigned* __restrict__ decoded, int streams, int symbols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= streams) return;
    const unsigned char* in = coded + 32 * i;
    unsigned code = in[0] << 24 | in[1] << 16 | in[2] << 8 | in[3], range = 0xffffffffu;
    unsigned chance = 2048, word = 0;
    int read = 4;
    for (int s = 0; s < symbols; ++s) {
        const unsigned bound = (range >> 12) * chance;
        if (code < bound) {
            range = bound;
            chance += (4096 - chance) >> 5;
            word = word << 1;
        } else {
            code -= bound;
            range -= bound;
            chance -= chance >> 5;
            word = word << 1 | 1u;
        }
        while (range < 1u << 24) {
            code = code << 8 | (read < 32 ? in[read] : 0);
            ++read;
            range <<= 8;
        }
        if ((s & 31) == 31) decoded[2 * i + (s >> 5 & 1)] = word;
    }
}
