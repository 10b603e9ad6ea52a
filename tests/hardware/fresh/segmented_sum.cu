/*
[kernel]
title   = "Sparse matrix in coordinates times vector: a segmented scan in each warp, one atomic per segment"

[parameters]
n = { default = 1081344 }

[buffers]
row = { type = "u32", length = "n", fill = "formula", value = "i // 11" }
column = { type = "u32", length = "n", fill = "formula", value = "(i // 11 * 7 + random(2000)) % 98304", seed = "312" }
values = { type = "f32", length = "n", fill = "random", seed = "313" }
x = { type = "f32", length = "98304", fill = "random", seed = "314" }
y = { type = "f32", length = "98304", fill = "zero" }

[launch]
arguments = ["row", "column", "values", "x", "y", "n"]
grid  = ["n // 256"]
block = ["256"]
*/
extern "C" __global__ void segmented_sum(const unsigned* __restrict__ row, const unsigned* __restrict__ column,
                                         const float* __restrict__ values, const float* __restrict__ x,
                                         float* __restrict__ y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    if (i >= n) return;
    const unsigned r = row[i];
    float sum = values[i] * x[column[i]];
    for (int distance = 1; distance < 32; distance *= 2) {
        const float before = __shfl_up_sync(0xffffffffu, sum, distance);
        const unsigned its_row = __shfl_up_sync(0xffffffffu, r, distance);
        if (lane >= distance && its_row == r) sum += before;
    }
    const unsigned next = __shfl_down_sync(0xffffffffu, r, 1);
    if (lane == 31 || next != r) atomicAdd(y + r, sum);
}
