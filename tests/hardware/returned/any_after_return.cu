/*
[kernel]
title   = "Threads beyond the end have returned; the others count down until none has anything left"

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
extern "C" __global__ void any_after_return(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int left = in[i] & 15;
    int total = 0;
    while (__any_sync(0xffffffffu, left > 0)) {
        if (left > 0) {
            total += left * in[(i + left) % n];
            --left;
        }
    }
    out[i] = total;
}
