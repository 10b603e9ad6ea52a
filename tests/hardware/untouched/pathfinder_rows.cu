/*
[kernel]
title   = "Shortest path through rows of a grid, as in Rodinia: twenty rows per launch in shared memory with a shrinking border"

[parameters]
columns = { default = 132000 }
rows = { default = 20 }

[buffers]
wall = { type = "i32", length = "columns * rows", fill = "random", seed = "727", below = "10" }
source = { type = "i32", length = "columns", fill = "random", seed = "728", below = "10" }
result = { type = "i32", length = "columns", fill = "zero" }

[launch]
arguments = ["rows", "wall", "source", "result", "columns", "rows"]
grid  = ["ceil_div(columns, 256 - 2 * rows)"]
block = ["256"]
*/
extern "C" __global__ void pathfinder_rows(int iterations, const int* wall, const int* source, int* result, int columns,
                                           int border) {
    __shared__ int before[256], now[256];
    const int x = threadIdx.x, first = (256 - 2 * iterations) * blockIdx.x - border, at = first + x;
    const int valid_first = first < 0 ? -first : 0;
    const int valid_last = first + 255 > columns - 1 ? 255 - (first + 255 - columns + 1) : 255;
    const int west = max(x - 1, valid_first), east = min(x + 1, valid_last);
    const bool is_valid = x >= valid_first && x <= valid_last;
    if (at >= 0 && at <= columns - 1) before[x] = source[at];
    __syncthreads();
    bool computed = false;
    for (int i = 0; i < iterations; ++i) {
        computed = false;
        if (x >= i + 1 && x <= 254 - i && is_valid) {
            computed = true;
            const int shortest = min(min(before[west], before[x]), before[east]);
            now[x] = shortest + wall[columns * i + at];
        }
        __syncthreads();
        if (i == iterations - 1) break;
        if (computed) before[x] = now[x];
        __syncthreads();
    }
    if (computed) result[at] = now[x];
}
