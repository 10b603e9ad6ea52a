/*
[kernel]
title   = "Sparse matrix by vector, stored by diagonals: each thread a row, each diagonal an offset that all threads share"

[parameters]
rows = { default = 67584 }
diagonals = { default = 9 }

[buffers]
offsets = { type = "i32", length = "diagonals", fill = "formula", value = "(i - 4) * 61" }
values = { type = "f32", length = "rows * diagonals", fill = "random", seed = "1461" }
x = { type = "f32", length = "rows", fill = "random", seed = "1462" }
y = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["offsets", "values", "x", "y", "rows", "diagonals"]
grid  = ["ceil_div(rows, 256)"]
block = ["256"]
*/
extern "C" __global__ void spmv_diagonals(const int* __restrict__ offsets, const float* __restrict__ values,
                                          const float* __restrict__ x, float* __restrict__ y, int rows,
                                          int diagonals) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int d = 0; d < diagonals; ++d) {
        const int column = row + offsets[d];
        if (column >= 0 && column < rows) sum += values[d * rows + row] * x[column];
    }
    y[row] = sum;
}
