/*
[kernel]
title   = "Content-defined chunks: each thread rolls a hash over bytes until it finds a cut"

[parameters]
starts = { default = 67584 }
longest = { default = 96 }

[buffers]
bytes = { type = "u8", length = "starts * 16 + longest", fill = "random", seed = "2601", below = "256" }
lengths = { type = "u32", length = "starts", fill = "zero" }

[launch]
arguments = ["bytes", "lengths", "starts", "longest"]
grid  = ["ceil_div(starts, 256)"]
block = ["256"]
*/
extern "C" __global__ void content_chunks(const unsigned char* __restrict__ bytes,
                                          unsigned* __restrict__ lengths, int starts, int longest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= starts) return;
    const unsigned char* from = bytes + 16 * i;
    unsigned hash = 0;
    int length = 0;
    for (; length < longest; ++length) {
        hash = hash * 33u + from[length];
        if (length >= 8 && (hash >> 13 & 31u) == 7u) break;
    }
    lengths[i] = length;
}
