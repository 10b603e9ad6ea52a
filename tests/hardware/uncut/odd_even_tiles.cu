/*
[kernel]
title   = "Tiles of 256 numbers sorted by neighbours that trade places, odd and even pairs in turn"

[parameters]
n = { default = 270336 }
steps = { default = 24, macro = true }

[buffers]
values = { type = "i32", length = "n", fill = "random", seed = "811", below = "1000000" }

[launch]
arguments = ["values", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
*/
extern "C" __global__ void odd_even_tiles(int* __restrict__ values, int n) {
    __shared__ int tile[256];
    const int tx = threadIdx.x, i = blockIdx.x * 256 + tx;
    tile[tx] = i < n ? values[i] : 0x7fffffff;
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
        const int left = 2 * tx + (step & 1);
        if (left + 1 < 256) {
            const int a = tile[left], b = tile[left + 1];
            tile[left] = min(a, b);
            tile[left + 1] = max(a, b);
        }
        __syncthreads();
    }
    if (i < n) values[i] = tile[tx];
}
