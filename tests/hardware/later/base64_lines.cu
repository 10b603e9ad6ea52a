/*
[kernel]
title   = "Bytes to base 64: a thread makes sixteen letters of twelve bytes, its table in constant memory"

[parameters]
groups = { default = 101376 }

[buffers]
bytes = { type = "u32", length = "groups * 3", fill = "random", seed = "1016", below = "4294967295" }
letters = { type = "u32", length = "groups * 4", fill = "zero" }

[launch]
arguments = ["bytes", "letters"]
grid  = ["groups // 256"]
block = ["256"]
*/
__constant__ char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
extern "C" __global__ void base64_lines(const unsigned* __restrict__ bytes, uint4* __restrict__ letters) {
    __shared__ char table[64];
    if (threadIdx.x < 64) table[threadIdx.x] = alphabet[threadIdx.x];
    __syncthreads();
    const int i = blockIdx.x * 256 + threadIdx.x;
    const unsigned w[3] = {bytes[i * 3], bytes[i * 3 + 1], bytes[i * 3 + 2]};
    unsigned made[4];
    for (int g = 0; g < 4; ++g) {
        unsigned three = 0;
        for (int k = 0; k < 3; ++k) {
            const int at = g * 3 + k;
            three = three << 8 | (w[at / 4] >> (at % 4 * 8) & 255);
        }
        made[g] = unsigned(table[three >> 18]) | unsigned(table[three >> 12 & 63]) << 8 | unsigned(table[three >> 6 & 63]) << 16 |
                  unsigned(table[three & 63]) << 24;
    }
    letters[i] = make_uint4(made[0], made[1], made[2], made[3]);
}
