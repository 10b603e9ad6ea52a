/*
[kernel]
title   = "Sparse matrix-vector product, 16 elements per row, one thread per row"

[parameters]
rows = { default = 131072 }

[buffers]
values = { type = "f32", length = "rows * 16", fill = "random", seed = "11" }
columns = { type = "i32", length = "rows * 16", fill = "random", seed = "12", below = "rows" }
x = { type = "f32", length = "rows", fill = "random", seed = "13" }
y = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["values", "columns", "x", "y", "rows"]
grid  = ["ceil_div(rows, 128)"]
block = ["128"]
*/
extern "C" __global__ void spmv_ell(const float* values, const int* columns, const float* x, float* y,
                                    int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = 0; i < 16; ++i) sum += values[i * rows + row] * x[columns[i * rows + row]];
    y[row] = sum;
}
