/*
[kernel]
title   = "Threads at both borders have returned; the others of their warps go on while any of them has something to do"

[parameters]
n = { default = 997 }

[buffers]
in = { type = "i32", length = "n", fill = "random", below = "1000", seed = "31" }
out = { type = "i32", length = "n", fill = "zero" }

[launch]
arguments = ["in", "out", "n"]
grid  = ["ceil_div(n, 128)"]
block = ["128"]
*/
extern "C" __global__ void vote_inside_borders(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 || i >= n - 2) return;
    int value = in[i - 1] + in[i] + in[i + 1], rounds = 0;
    while (__any_sync(0xffffffffu, value > 100)) {
        if (value > 100) value -= 237;
        ++rounds;
        out[i] = rounds;
    }
    out[i] = value + 1000 * rounds;
}
