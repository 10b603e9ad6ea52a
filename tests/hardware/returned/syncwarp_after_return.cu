/*
[kernel]
title   = "Threads beyond the end have returned; the others read what a lane of their warp has written"

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
extern "C" __global__ void syncwarp_after_return(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int values[128];
    if (i >= n) return;
    values[threadIdx.x] = in[i];
    for (int k = 0; k < (in[i] & 7) + 1; ++k) values[threadIdx.x] += k;
    __syncwarp();
    int other = (threadIdx.x & ~31) + ((threadIdx.x * 7 + 3) & 31);
    if (blockIdx.x * 128 + other >= n) other = threadIdx.x;
    out[i] = values[other];
}
