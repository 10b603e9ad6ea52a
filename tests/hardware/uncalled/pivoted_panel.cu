/*
[kernel]
title   = "A panel of 64 rows and 16 columns factored with partial pivoting in shared memory, a block a panel"

[parameters]
panels = { default = 528 }

[buffers]
panel = { type = "f32", length = "panels * 1024", fill = "random", seed = "2041" }
pivots = { type = "u32", length = "panels * 16", fill = "zero" }

[launch]
arguments = ["panel", "pivots"]
grid  = ["panels"]
block = ["64"]
*/
extern "C" __global__ void pivoted_panel(float* __restrict__ panel, unsigned* __restrict__ pivots) {
    __shared__ float a[64][17];
    __shared__ float best_value[2];
    __shared__ int best_row[2];
    const int row = threadIdx.x;
    float* const mine = panel + blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += 64) a[i / 16][i % 16] = mine[i];
    __syncthreads();
    for (int column = 0; column < 16; ++column) {
        float value = row >= column ? fabsf(a[row][column]) : -1.0f;
        int at = row;
        for (int step = 16; step > 0; step /= 2) {
            const float other = __shfl_down_sync(0xffffffffu, value, step);
            const int other_at = __shfl_down_sync(0xffffffffu, at, step);
            if (other > value) {
                value = other;
                at = other_at;
            }
        }
        if (row % 32 == 0) {
            best_value[row / 32] = value;
            best_row[row / 32] = at;
        }
        __syncthreads();
        const int pivot = best_value[1] > best_value[0] ? best_row[1] : best_row[0];
        if (row == 0) pivots[blockIdx.x * 16 + column] = pivot;
        if (row < 16 && pivot != column) {
            const float kept = a[column][row];
            a[column][row] = a[pivot][row];
            a[pivot][row] = kept;
        }
        __syncthreads();
        if (row > column) {
            const float factor = a[row][column] / a[column][column];
            a[row][column] = factor;
            for (int k = column + 1; k < 16; ++k) a[row][k] -= factor * a[column][k];
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 1024; i += 64) mine[i] = a[i / 16][i % 16];
}
