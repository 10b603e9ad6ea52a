/*
[kernel]
title   = "Short lists sorted by insertion in shared memory, one list per thread"

[parameters]
lists = { default = 135168 }
length = { default = 12, macro = true }

[buffers]
in = { type = "u32", length = "lists * length", fill = "random", seed = "605", below = "1000000" }
out = { type = "u32", length = "lists * length", fill = "zero" }

[launch]
arguments = ["in", "out"]
grid  = ["lists // 96"]
block = ["96"]
*/
extern "C" __global__ void insertion_sort(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
    __shared__ unsigned keys[length][96];
    const int me = threadIdx.x;
    const size_t begin = (size_t)blockIdx.x * 96 * length;
    for (int i = 0; i < length; ++i) keys[i][me] = in[begin + i * 96 + me];
    for (int i = 1; i < length; ++i) {
        const unsigned key = keys[i][me];
        int place = i;
        while (place > 0 && keys[place - 1][me] > key) {
            keys[place][me] = keys[place - 1][me];
            --place;
        }
        keys[place][me] = key;
    }
    for (int i = 0; i < length; ++i) out[begin + i * 96 + me] = keys[i][me];
}
