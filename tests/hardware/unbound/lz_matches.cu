/*
[kernel]
title   = "Longest match of each byte of a page with the 64 bytes before it, pages in shared memory"

[parameters]
pages = { default = 396 }

[buffers]
bytes = { type = "u8", length = "pages * 1024", fill = "random", seed = "1720", below = "4" }
lengths = { type = "u8", length = "pages * 1024", fill = "zero" }

[launch]
arguments = ["bytes", "lengths"]
grid  = ["pages"]
block = ["256"]
*/
extern "C" __global__ void lz_matches(const unsigned char* __restrict__ bytes, unsigned char* __restrict__ lengths) {
    __shared__ unsigned char page[1024 + 16];
    for (int i = threadIdx.x; i < 1040; i += 256) page[i] = i < 1024 ? bytes[blockIdx.x * 1024 + i] : 255;
    __syncthreads();
    for (int at = threadIdx.x; at < 1024; at += 256) {
        int best = 0;
        for (int back = 1; back <= 64 && back <= at; ++back) {
            int length = 0;
            while (length < 15 && page[at + length] == page[at - back + length]) ++length;
            best = max(best, length);
        }
        lengths[blockIdx.x * 1024 + at] = best;
    }
}
