/*
[kernel]
title   = "Columns of a sparse matrix added into a dense vector: one warp per column, an atomic for each entry"

[parameters]
columns = { default = 16896 }

[buffers]
starts = { type = "u32", length = "columns + 1", fill = "formula", value = "i * 40 + (i * 2654435761 // 65536) % 32" }
rows = { type = "u32", length = "columns * 40 + 64", fill = "random", seed = "1111", below = "65536" }
entries = { type = "f32", length = "columns * 40 + 64", fill = "random", seed = "1112" }
x = { type = "f32", length = "columns", fill = "random", seed = "1113" }
y = { type = "f32", length = "65536", fill = "zero" }

[launch]
arguments = ["starts", "rows", "entries", "x", "y", "columns"]
grid  = ["ceil_div(columns, 8)"]
block = ["256"]
*/
extern "C" __global__ void sparse_columns(const unsigned* starts, const unsigned* rows, const float* entries,
                                          const float* x, float* y, int columns) {
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (column >= columns) return;
    const float factor = x[column];
    for (unsigned e = starts[column] + threadIdx.x % 32; e < starts[column + 1]; e += 32)
        atomicAdd(&y[rows[e]], entries[e] * factor);
}
