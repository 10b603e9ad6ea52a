/*
[kernel]
title   = "Check nodes of a quasi-cyclic code by least magnitudes: a thread per check of degree 10, messages as bytes, circulants of 384 turned"

[parameters]
words = { default = 66 }
rows = { default = 46 }

[buffers]
shifts = { type = "u16", length = "rows * 10", fill = "random", seed = "1415", below = "384" }
columns = { type = "u8", length = "rows * 10", fill = "random", seed = "1416", below = "68" }
beliefs = { type = "i8", length = "words * 68 * 384", fill = "formula", value = "random(127) - 63", seed = "1417" }
messages = { type = "i8", length = "words * rows * 10 * 384", fill = "formula", value = "random(15) - 7", seed = "1418" }

[launch]
arguments = ["shifts", "columns", "beliefs", "messages", "rows"]
grid  = ["rows", "words"]
block = ["384"]
*/
extern "C" __global__ void ldpc_checks(const unsigned short* __restrict__ shifts, const unsigned char* __restrict__ columns,
                                       const signed char* __restrict__ beliefs, signed char* __restrict__ messages, int rows) {
    const int row = blockIdx.x, word = blockIdx.y, z = threadIdx.x;
    signed char* own = messages + (word * rows + row) * 10 * 384;
    int value[10], least = 127, second = 127, at = 0, sign = 0;
#pragma unroll
    for (int k = 0; k < 10; ++k) {
        int place = z + shifts[row * 10 + k];
        place -= place >= 384 ? 384 : 0;
        value[k] = beliefs[(word * 68 + columns[row * 10 + k]) * 384 + place] - own[k * 384 + z];
        const int size = abs(value[k]);
        sign ^= value[k];
        if (size < least) {
            second = least;
            least = size;
            at = k;
        } else if (size < second) {
            second = size;
        }
    }
#pragma unroll
    for (int k = 0; k < 10; ++k) {
        const int size = (k == at ? second : least) * 3 / 4;
        own[k * 384 + z] = (sign ^ value[k]) < 0 ? -size : size;
    }
}
