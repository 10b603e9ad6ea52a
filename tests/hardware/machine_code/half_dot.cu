/*
[kernel]
title   = "Dot products of halves with packed arithmetic"

[parameters]
rows    = { default = 300, min = 1, max = 65536 }
columns = { default = 512, min = 64, max = 8192, step = 64 }

[buffers]
matrix = { type = "f16", length = "rows * columns", fill = "random", seed = "20" }
vector = { type = "f16", length = "columns", fill = "random", seed = "21" }
out    = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["matrix", "vector", "out", "rows", "columns"]
grid  = ["ceil_div(rows, 4)"]
block = ["32", "4"]
*/
#include <cuda_fp16.h>

extern "C" __global__ void half_dot(const __half2* matrix, const __half2* vector, float* out, int rows, int columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    const __half2* values = matrix + static_cast<size_t>(row) * (columns / 2);
    float sum = 0.0f;
    __half2 part = __float2half2_rn(0.0f);
    for (int i = threadIdx.x; i < columns / 2; i += 32) {
        part = __hfma2(values[i], vector[i], part);
        if (i / 32 % 4 == 3) {
            const float2 both = __half22float2(part);
            sum += both.x + both.y;
            part = __float2half2_rn(0.0f);
        }
    }
    const float2 rest = __half22float2(part);
    sum += rest.x + rest.y;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x == 0) out[row] = sum;
}
