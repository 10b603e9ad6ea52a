/*
[kernel]
title   = "Sixteen-bit samples through a table of 4096 entries in shared memory with interpolation, eight samples per thread"

[parameters]
samples = { default = 3145728 }

[buffers]
table = { type = "u16", length = "4097", fill = "random", below = "65536", seed = "903" }
in = { type = "u16", length = "samples", fill = "random", below = "65536", seed = "904" }
out = { type = "u16", length = "samples", fill = "zero" }

[launch]
arguments = ["table", "in", "out"]
grid  = ["samples // 2048"]
block = ["256"]
*/
extern "C" __global__ void tone_table(const unsigned short* __restrict__ table, const uint4* __restrict__ in, uint4* __restrict__ out) {
    __shared__ unsigned short curve[4097];
    for (int i = threadIdx.x; i < 4097; i += 256) curve[i] = table[i];
    __syncthreads();
    const int at = blockIdx.x * 256 + threadIdx.x;
    uint4 words = in[at];
    unsigned* word = &words.x;
    for (int i = 0; i < 4; ++i) {
        unsigned made = 0;
        for (int half = 0; half < 2; ++half) {
            const unsigned sample = word[i] >> (16 * half) & 0xffff, place = sample >> 4, part = sample & 15;
            made |= (curve[place] * (16 - part) + curve[place + 1] * part >> 4) << (16 * half);
        }
        word[i] = made;
    }
    out[at] = words;
}
