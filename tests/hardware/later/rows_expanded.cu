/*
[kernel]
title   = "Counts to a list of owners: a thread per output finds its row by bisection of the offsets, and copies the row's value"

[parameters]
rows = { default = 8192 }
outputs = { default = 168960 }

[buffers]
offsets = { type = "u32", length = "rows + 1", fill = "formula", value = "i * 20 + (i % 3) * 5" }
values = { type = "f32", length = "rows", fill = "random", seed = "1022" }
owner = { type = "u32", length = "outputs", fill = "zero" }
copied = { type = "f32", length = "outputs", fill = "zero" }

[launch]
arguments = ["offsets", "values", "owner", "copied", "rows"]
grid  = ["outputs // 256"]
block = ["256"]
*/
extern "C" __global__ void rows_expanded(const unsigned* __restrict__ offsets, const float* __restrict__ values, unsigned* __restrict__ owner,
                                         float* __restrict__ copied, int rows) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    int low = 0, high = rows;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (offsets[middle + 1] <= i) low = middle + 1;
        else high = middle;
    }
    const int row = min(low, rows - 1);
    owner[i] = row;
    copied[i] = values[row] * float(i - offsets[row]);
}
