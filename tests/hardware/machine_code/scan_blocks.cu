/*
[kernel]
title   = "Exclusive prefix sum of each block's part, four elements per thread"

[parameters]
n = { default = 200000, min = 1, max = 16777216 }

[buffers]
in   = { type = "i32", length = "n", fill = "lcg", seed = "8", below = "1000" }
out  = { type = "i32", length = "n", fill = "zero" }
sums = { type = "i32", length = "ceil_div(n, 1024)", fill = "zero" }

[launch]
arguments = ["in", "out", "sums", "n"]
grid  = ["ceil_div(n, 1024)"]
block = ["256"]
*/
extern "C" __global__ void scan_blocks(const int* in, int* out, int* sums, int n) {
    __shared__ int totals[8];
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4, lane = threadIdx.x % 32,
              warp = threadIdx.x / 32;
    int values[4];
    for (int i = 0; i < 4; ++i) values[i] = first + i < n ? in[first + i] : 0;
    int own = 0;
    for (int i = 0; i < 4; ++i) {
        const int value = values[i];
        values[i] = own;
        own += value;
    }
    int before = own;
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, before, distance);
        if (lane >= distance) before += other;
    }
    if (lane == 31) totals[warp] = before;
    __syncthreads();
    if (warp == 0) {
        int total = lane < 8 ? totals[lane] : 0;
        for (int distance = 1; distance < 8; distance *= 2) {
            const int other = __shfl_up_sync(0xffffffffu, total, distance);
            if (lane >= distance) total += other;
        }
        if (lane < 8) totals[lane] = total;
    }
    __syncthreads();
    const int offset = before - own + (warp > 0 ? totals[warp - 1] : 0);
    for (int i = 0; i < 4; ++i)
        if (first + i < n) out[first + i] = offset + values[i];
    if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = offset + own;
}
