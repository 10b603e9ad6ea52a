/*
[kernel]
title   = "Threads return by what they read, some of them out of the loop in which the others vote"

[parameters]
n = { default = 997 }

[buffers]
in = { type = "i32", length = "n", fill = "random", below = "1000", seed = "29" }
out = { type = "i32", length = "n", fill = "zero" }

[launch]
arguments = ["in", "out", "n"]
grid  = ["ceil_div(n, 128)"]
block = ["128"]
*/
extern "C" __global__ void return_by_data(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || (in[i] & 3) == 0) return;
    int left = in[i] & 15, total = 0;
    while (__any_sync(0xffffffffu, left > 0)) {
        total += __popc(__ballot_sync(0xffffffffu, left & 1));
        if (left > 0) --left;
        if (total > 40) return;
    }
    out[i] = total;
}
