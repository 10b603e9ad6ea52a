/*
[kernel]
title   = "Cheapest ways down a grid of costs: tiles with halos, several rows a launch, a barrier between rows"

[parameters]
columns = { default = 270336 }
rows = { default = 10, macro = true }

[buffers]
cost = { type = "i32", length = "columns * rows", fill = "random", seed = "701", below = "10" }
before = { type = "i32", length = "columns", fill = "random", seed = "702", below = "100" }
after = { type = "i32", length = "columns", fill = "zero" }

[launch]
arguments = ["cost", "before", "after", "columns"]
grid  = ["ceil_div(columns, 256 - 2 * rows)"]
block = ["256"]
*/
extern "C" __global__ void path_grid(const int* __restrict__ cost, const int* __restrict__ before, int* __restrict__ after,
                                     int columns) {
    __shared__ int now[256], next[256];
    const int tx = threadIdx.x, inner = 256 - 2 * rows;
    const int x = (int)blockIdx.x * inner - rows + tx;
    const bool inside = x >= 0 && x < columns;
    now[tx] = inside ? before[x] : 1 << 20;
    __syncthreads();
    for (int row = 0; row < rows; ++row) {
        if (tx > row && tx < 255 - row && inside) {
            const int best = min(now[tx], min(now[tx - 1], now[tx + 1]));
            next[tx] = best + cost[row * columns + x];
        } else {
            next[tx] = 1 << 20;
        }
        __syncthreads();
        now[tx] = next[tx];
        __syncthreads();
    }
    if (tx >= rows && tx < 256 - rows && inside) after[x] = now[tx];
}
