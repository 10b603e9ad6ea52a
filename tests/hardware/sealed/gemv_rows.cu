/*
[kernel]
title   = "Matrix times vector, one warp per row, four floats per load"

[parameters]
rows = { default = 8448 }
width = { default = 1024, macro = true }

[buffers]
matrix = { type = "f32", length = "rows * width", fill = "random", seed = "501" }
x = { type = "f32", length = "width", fill = "random", seed = "502" }
y = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["matrix", "x", "y", "rows"]
grid  = ["ceil_div(rows, 8)"]
block = ["32", "8"]
*/
extern "C" __global__ void gemv_rows(const float4* __restrict__ matrix, const float4* __restrict__ x, float* __restrict__ y,
                                     int rows) {
    const int row = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows) return;
    float sum = 0;
    for (int i = threadIdx.x; i < width / 4; i += 32) {
        const float4 a = matrix[row * (width / 4) + i], b = x[i];
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lane);
    if (threadIdx.x == 0) y[row] = sum;
}
