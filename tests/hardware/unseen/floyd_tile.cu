/*
[kernel]
title   = "Third phase of blocked Floyd-Warshall: tiles outside the pivot's row and column"

[parameters]
n = { default = 768 }
pivot = { default = 3 }

[buffers]
paths = { type = "i32", length = "n * n", fill = "random", seed = "107", below = "10000" }

[launch]
arguments = ["paths", "n", "pivot"]
grid  = ["n // 32", "n // 32"]
block = ["32", "8"]
*/
extern "C" __global__ void floyd_tile(int* paths, int n, int pivot) {
    __shared__ int in_column[32][32], in_row[32][32];
    if (blockIdx.x == pivot || blockIdx.y == pivot) return;
    const int x = threadIdx.x, column = blockIdx.x * 32 + x;
    int shortest[4];
    for (int i = 0; i < 4; ++i) {
        const int y = threadIdx.y + i * 8, row = blockIdx.y * 32 + y;
        in_column[y][x] = paths[row * n + pivot * 32 + x];
        in_row[y][x] = paths[(pivot * 32 + y) * n + column];
        shortest[i] = paths[row * n + column];
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
        const int rest = in_row[k][x];
        for (int i = 0; i < 4; ++i) shortest[i] = min(shortest[i], in_column[threadIdx.y + i * 8][k] + rest);
    }
    for (int i = 0; i < 4; ++i) paths[(blockIdx.y * 32 + threadIdx.y + i * 8) * n + column] = shortest[i];
}
