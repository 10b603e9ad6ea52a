/*
[kernel]
title   = "A sparse matrix in jagged diagonals times a vector: rows sorted by length, a row for each thread"

[parameters]
rows = { default = 67584 }

[buffers]
begins = { type = "u32", length = "25", fill = "formula", value = "i * rows - i * i * 1024" }
columns = { type = "u32", length = "rows * 24", fill = "random", seed = "1804", below = "67584" }
values = { type = "f32", length = "rows * 24", fill = "random", seed = "1805" }
x = { type = "f32", length = "rows", fill = "random", seed = "1806" }
places = { type = "u32", length = "rows", fill = "formula", value = "(i * 40507) % rows" }
y = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["begins", "columns", "values", "x", "places", "y", "rows"]
grid  = ["rows // 256"]
block = ["256"]
*/
extern "C" __global__ void jagged_spmv(const unsigned* __restrict__ begins, const unsigned* __restrict__ columns, const float* __restrict__ values,
                                       const float* __restrict__ x, const unsigned* __restrict__ places, float* __restrict__ y, int rows) {
    const unsigned row = blockIdx.x * 256 + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int d = 0; d < 24; ++d) {
        const unsigned begin = begins[d], end = begins[d + 1];
        if (begin + row >= end) break;
        sum += values[begin + row] * x[columns[begin + row]];
    }
    y[places[row]] = sum;
}
