/*
[kernel]
title   = "Threads push nodes on lists by compare and swap"

[buffers]
heads = { type = "u32", length = "32", fill = "zero" }
next = { type = "u32", length = "1024", fill = "zero" }
out = { type = "u32", length = "1024", fill = "zero" }

[launch]
arguments = ["heads", "next", "out"]
grid  = ["1"]
block = ["128"]
*/
extern "C" __global__ void push_list(unsigned* heads, unsigned* next, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, list = i / 8;
    unsigned seen = heads[list], tries = 0;
    for (;;) {
        next[i] = seen;
        const unsigned got = atomicCAS(&heads[list], seen, i + 1);
        ++tries;
        if (got == seen) break;
        seen = got;
    }
    out[i] = tries % 7;
}
