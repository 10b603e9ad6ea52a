/*
[kernel]
title   = "Sparse matrix of dense 4 x 4 blocks times a vector: eight lanes per row of blocks, a float4 row of a block each, sums by shuffles"

[parameters]
rows = { default = 16896 }

[buffers]
columns = { type = "i32", length = "rows * 9", fill = "random", seed = "1001", below = "16896" }
values = { type = "f32", length = "rows * 9 * 16", fill = "random", seed = "1002" }
x = { type = "f32", length = "rows * 4", fill = "random", seed = "1003" }
y = { type = "f32", length = "rows * 4", fill = "zero" }

[launch]
arguments = ["columns", "values", "x", "y", "rows"]
grid  = ["rows // 32"]
block = ["256"]
*/
extern "C" __global__ void bsr_spmv(const int* __restrict__ columns, const float4* __restrict__ values, const float4* __restrict__ x,
                                    float* __restrict__ y, int rows) {
    const int row = blockIdx.x * 32 + threadIdx.x / 8, part = threadIdx.x % 8;
    if (row >= rows) return;
    float sum = 0;
    for (int k = part / 4; k < 9; k += 2) {
        const float4 a = values[(row * 9 + k) * 4 + part % 4], v = x[columns[row * 9 + k]];
        sum += a.x * v.x + a.y * v.y + a.z * v.z + a.w * v.w;
    }
    sum += __shfl_xor_sync(~0u, sum, 4);
    if (part < 4) y[row * 4 + part] = sum;
}
