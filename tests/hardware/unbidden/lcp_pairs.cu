/*
[kernel]
title   = "Length of the longest common prefix of neighbouring suffixes, as for an array of suffixes"

[parameters]
n = { default = 202752 }

[buffers]
text = { type = "u8", length = "n", fill = "random", seed = "1811", below = "3" }
order = { type = "u32", length = "n", fill = "random", seed = "1812", below = "202752" }
common = { type = "u32", length = "n", fill = "zero" }

[launch]
arguments = ["text", "order", "common", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
*/
extern "C" __global__ void lcp_pairs(const unsigned char* __restrict__ text, const unsigned* __restrict__ order,
                                     unsigned* __restrict__ common, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i == 0) {
        common[0] = 0;
        return;
    }
    const unsigned a = order[i - 1], b = order[i];
    unsigned length = 0;
    while (length < 64 && a + length < n && b + length < n && text[a + length] == text[b + length]) ++length;
    common[i] = length;
}
