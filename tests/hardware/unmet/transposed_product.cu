/*
[kernel]
title   = "Product of a transposed matrix with a vector: each thread walks down a column, few threads"

[parameters]
rows = { default = 512 }
columns = { default = 8448 }

[buffers]
a = { type = "f32", length = "rows * columns", fill = "random", seed = "1305" }
x = { type = "f32", length = "rows", fill = "random", seed = "1306" }
y = { type = "f32", length = "columns", fill = "zero" }

[launch]
arguments = ["a", "x", "y", "rows", "columns"]
grid  = ["columns // 64"]
block = ["64"]
*/
extern "C" __global__ void transposed_product(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y,
                                              int rows, int columns) {
    const int column = blockIdx.x * 64 + threadIdx.x;
    float sum = 0;
    for (int row = 0; row < rows; ++row) sum += a[row * columns + column] * x[row];
    y[column] = sum;
}
