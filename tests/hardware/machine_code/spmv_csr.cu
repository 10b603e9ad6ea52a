/*
[kernel]
title   = "Sparse matrix times vector, CSR, one warp per row"

[parameters]
rows = { default = 1500, min = 1, max = 100000 }
most = { default = 90, min = 1, max = 1000 }

[buffers]
lengths = { type = "u32", length = "rows", fill = "lcg", seed = "13", below = "most" }
columns = { type = "u32", length = "rows * most", fill = "lcg", seed = "14", below = "rows" }
values  = { type = "f32", length = "rows * most", fill = "random", seed = "15" }
x       = { type = "f32", length = "rows", fill = "random", seed = "16" }
y       = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["lengths", "columns", "values", "x", "y", "rows", "most"]
grid  = ["ceil_div(rows, 8)"]
block = ["256"]
*/
extern "C" __global__ void spmv_csr(const unsigned* lengths, const unsigned* columns, const float* values, const float* x,
                                    float* y, int rows, int most) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const unsigned first = row * most, last = first + lengths[row];
    float sum = 0.0f;
    for (unsigned i = first + lane; i < last; i += 32) sum += values[i] * x[columns[i]];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0) y[row] = sum;
}
