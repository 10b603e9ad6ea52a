/*
[kernel]
title   = "Compressed pages expanded: literals and copies from what was written before, one page per thread"

[parameters]
pages = { default = 16896 }

[buffers]
codes = { type = "u8", length = "pages * 32", fill = "random", seed = "612", below = "256" }
out = { type = "u8", length = "pages * 128", fill = "zero" }

[launch]
arguments = ["codes", "out", "pages"]
grid  = ["ceil_div(pages, 32)"]
block = ["32"]
*/
extern "C" __global__ void lz_expand(const unsigned char* __restrict__ codes, unsigned char* out, int pages) {
    const int page = blockIdx.x * blockDim.x + threadIdx.x;
    if (page >= pages) return;
    const unsigned char* code = codes + page * 32;
    unsigned char* begin = out + page * 128;
    int written = 1;
    begin[0] = code[0];
    for (int i = 1; i < 32; ++i) {
        const int what = code[i];
        if (what < 192) {
            begin[written++] = what;
        } else {
            const int back = 1 + (what >> 3) % written;
            for (int left = 2 + (what & 3); left > 0; --left) {
                begin[written] = begin[written - back];
                ++written;
            }
        }
        if (written > 120) break;
    }
}
