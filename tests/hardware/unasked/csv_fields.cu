/*
[kernel]
title   = "Fields of lines of text: one thread per line, from byte to byte, with quotes, until the line ends"

[parameters]
lines = { default = 67584 }

[buffers]
text = { type = "u8", length = "lines * 64", fill = "random", seed = "1071", below = "48" }
fields = { type = "u8", length = "lines", fill = "zero" }
lengths = { type = "u8", length = "lines * 8", fill = "zero" }

[launch]
arguments = ["text", "fields", "lengths", "lines"]
grid  = ["ceil_div(lines, 128)"]
block = ["128"]
*/
extern "C" __global__ void csv_fields(const unsigned char* __restrict__ text, unsigned char* __restrict__ fields,
                                      unsigned char* __restrict__ lengths, int lines) {
    const int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= lines) return;
    const unsigned char* at = text + line * 64;
    int field = 0, begin = 0;
    bool quoted = false;
    for (int i = 0; i < 64; ++i) {
        const unsigned char c = at[i];
        if (c == 0) break;
        if (c == 34) quoted = !quoted;
        if (c == 44 && !quoted && field < 7) {
            lengths[line * 8 + field] = (unsigned char)(i - begin);
            begin = i + 1;
            ++field;
        }
    }
    fields[line] = (unsigned char)(field + 1);
}
