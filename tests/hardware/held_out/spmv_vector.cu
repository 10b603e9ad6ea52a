/*
[kernel]
title   = "Sparse matrix times vector, CSR, eight lanes per row, columns near the diagonal"

[parameters]
rows = { default = 65536 }

[buffers]
first = { type = "u32", length = "rows + 1", fill = "formula", value = "i * 24" }
columns = { type = "u32", length = "rows * 24", fill = "formula", value = "(i // 24 + random(4096)) % rows", seed = "205" }
values = { type = "f32", length = "rows * 24", fill = "random", seed = "206" }
x = { type = "f32", length = "rows", fill = "random", seed = "207" }
y = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["first", "columns", "values", "x", "y", "rows"]
grid  = ["rows // 16"]
block = ["128"]
*/
extern "C" __global__ void spmv_vector(const unsigned* __restrict__ first, const unsigned* __restrict__ columns,
                                       const float* __restrict__ values, const float* __restrict__ x,
                                       float* __restrict__ y, int rows) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
    if (row >= rows) return;
    const unsigned end = first[row + 1];
    float sum = 0;
    for (unsigned i = first[row] + lane; i < end; i += 8) sum += values[i] * x[columns[i]];
    for (int distance = 4; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance, 8);
    if (lane == 0) y[row] = sum;
}
