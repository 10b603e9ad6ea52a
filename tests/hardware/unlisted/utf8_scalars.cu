/*
[kernel]
title   = "Text as UTF-8 to scalar values: each thread decodes the characters that begin in its 16 bytes, and counts those that are malformed"

[parameters]
chunks = { default = 33792 }

[buffers]
text = { type = "u8", length = "chunks * 16 + 4", fill = "random", seed = "1441", below = "244" }
scalars = { type = "u32", length = "chunks * 16", fill = "zero" }
counts = { type = "u32", length = "chunks", fill = "zero" }

[launch]
arguments = ["text", "scalars", "counts", "chunks"]
grid  = ["ceil_div(chunks, 256)"]
block = ["256"]
*/
extern "C" __global__ void utf8_scalars(const unsigned char* __restrict__ text,
                                        unsigned* __restrict__ scalars, unsigned* __restrict__ counts,
                                        int chunks) {
    const int chunk = blockIdx.x * blockDim.x + threadIdx.x;
    if (chunk >= chunks) return;
    const unsigned char* p = text + 16 * chunk;
    unsigned* out = scalars + 16 * chunk;
    int at = 0, good = 0, bad = 0;
    while (at < 16 && (p[at] & 0xc0) == 0x80) ++at;
    while (at < 16) {
        const unsigned first = p[at++];
        if (first < 0x80) {
            out[good++] = first;
            continue;
        }
        const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
        unsigned value = first & (0x3f >> more);
        int seen = 0;
        while (seen < more && (p[at] & 0xc0) == 0x80) {
            value = value << 6 | (p[at++] & 0x3f);
            ++seen;
        }
        if (more > 0 && seen == more) out[good++] = value;
        else ++bad;
    }
    counts[chunk] = good | bad << 8;
}
