/*
[kernel]
title   = "One pass of a bitonic merge over keys and values in global memory, a stride of 4096"

[parameters]
n = { default = 1572864 }

[buffers]
keys = { type = "u32", length = "n", fill = "random", seed = "715", below = "4294967295" }
values = { type = "u32", length = "n", fill = "iota" }

[launch]
arguments = ["keys", "values", "n // 2", "8192", "4096"]
grid  = ["n // 2 // 256"]
block = ["256"]
*/
extern "C" __global__ void bitonic_global(unsigned* keys, unsigned* values, unsigned pairs, unsigned size, unsigned stride) {
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= pairs) return;
    const unsigned in_size = index & (size / 2 - 1);
    const bool up = (index & size / 2) == 0;
    const unsigned place = 2 * index - (in_size & (stride - 1));
    unsigned key_a = keys[place], value_a = values[place], key_b = keys[place + stride], value_b = values[place + stride];
    if ((key_a > key_b) == up) {
        const unsigned key = key_a, value = value_a;
        key_a = key_b;
        value_a = value_b;
        key_b = key;
        value_b = value;
    }
    keys[place] = key_a;
    values[place] = value_a;
    keys[place + stride] = key_b;
    values[place + stride] = value_b;
}
