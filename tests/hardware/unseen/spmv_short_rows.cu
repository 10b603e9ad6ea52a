/*
[kernel]
title   = "Sparse matrix times vector, one warp per row of 4 to 18 values"

[parameters]
rows = { default = 32768 }

[buffers]
begins = { type = "i32", length = "rows + 1", fill = "formula", value = "i * 11 + (i * 2654435761 // 65536) % 8" }
columns = { type = "i32", length = "rows * 11 + 8", fill = "random", seed = "119", below = "32768" }
values = { type = "f32", length = "rows * 11 + 8", fill = "random", seed = "120" }
x = { type = "f32", length = "rows", fill = "random", seed = "121" }
y = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["begins", "columns", "values", "x", "y", "rows"]
grid  = ["ceil_div(rows, 8)"]
block = ["256"]
*/
extern "C" __global__ void spmv_short_rows(const int* begins, const int* columns, const float* values, const float* x,
                                           float* y, int rows) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const int end = begins[row + 1];
    float sum = 0;
    for (int i = begins[row] + lane; i < end; i += 32) sum += values[i] * x[columns[i]];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0) y[row] = sum;
}
