/*
[kernel]
title   = "Sparse matrix times a dense one of 64 columns: a warp per row, two columns per lane, rows of 2 to 65 entries"

[parameters]
rows = { default = 12672 }

[buffers]
begins = { type = "i32", length = "rows + 1", fill = "formula", value = "i * 20 + (i // 16 % 4 == 0 and i % 16 * 3 or 0)" }
columns = { type = "i32", length = "rows * 20 + 64", fill = "random", seed = "738", below = "12672" }
values = { type = "f32", length = "rows * 20 + 64", fill = "random", seed = "739" }
dense = { type = "f32", length = "rows * 64", fill = "random", seed = "740" }
out = { type = "f32", length = "rows * 64", fill = "zero" }

[launch]
arguments = ["begins", "columns", "values", "dense", "out", "rows"]
grid  = ["rows // 4"]
block = ["128"]
*/
extern "C" __global__ void spmm_csr(const int* __restrict__ begins, const int* __restrict__ columns,
                                    const float* __restrict__ values, const float2* __restrict__ dense,
                                    float2* __restrict__ out, int rows) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const int begin = begins[row], end = begins[row + 1];
    float2 sum = make_float2(0, 0);
    for (int base = begin; base < end; base += 32) {
        const int mine = base + lane;
        const int column = mine < end ? columns[mine] : 0;
        const float value = mine < end ? values[mine] : 0;
        const int count = min(32, end - base);
        for (int i = 0; i < count; ++i) {
            const float factor = __shfl_sync(~0u, value, i);
            const float2 x = dense[size_t(__shfl_sync(~0u, column, i)) * 32 + lane];
            sum.x += factor * x.x;
            sum.y += factor * x.y;
        }
    }
    out[size_t(row) * 32 + lane] = sum;
}
