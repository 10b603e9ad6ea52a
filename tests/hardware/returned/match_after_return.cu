/*
[kernel]
title   = "Threads beyond the end have returned; the others sum as many elements as lanes have their key"

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
extern "C" __global__ void match_after_return(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned peers = __match_any_sync(0xffffffffu, in[i] & 7);
    int sum = 0;
    for (int k = 0; k < __popc(peers); ++k) sum += in[(i + k) % n];
    out[i] = sum;
}
