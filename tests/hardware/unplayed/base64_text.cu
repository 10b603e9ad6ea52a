/*
[kernel]
title   = "Bytes as base 64: each thread turns three bytes into four characters by a table in shared memory"

[parameters]
groups = { default = 335872 }

[buffers]
bytes = { type = "u8", length = "groups * 3", fill = "random", seed = "1561", below = "256" }
alphabet = { type = "u8", length = "64", fill = "formula", value = "43 + i" }
text = { type = "u32", length = "groups", fill = "zero" }

[launch]
arguments = ["bytes", "alphabet", "text", "groups"]
grid  = ["ceil_div(groups, 256)"]
block = ["256"]
*/
extern "C" __global__ void base64_text(const unsigned char* __restrict__ bytes,
                                       const unsigned char* __restrict__ alphabet, unsigned* __restrict__ text,
                                       int groups) {
    __shared__ unsigned char table[64];
    if (threadIdx.x < 64) table[threadIdx.x] = alphabet[threadIdx.x];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= groups) return;
    const unsigned word = bytes[3 * i] << 16 | bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
    text[i] = table[word >> 18] | table[word >> 12 & 63] << 8 | table[word >> 6 & 63] << 16 | table[word & 63] << 24;
}
