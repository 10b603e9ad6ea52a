/*
[kernel]
title   = "Matrix-vector product, one warp per row, float4"

[parameters]
rows = { default = 8192 }
columns = { default = 2048 }

[buffers]
A = { type = "f32", length = "rows * columns", fill = "random", seed = "23" }
x = { type = "f32", length = "columns", fill = "random", seed = "24" }
y = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["A", "x", "y", "columns"]
grid  = ["rows // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void gemv_rows(const float* A, const float* x, float* y, int columns) {
    const int row = blockIdx.x * 8 + threadIdx.y;
    const float4* from = reinterpret_cast<const float4*>(A + static_cast<size_t>(row) * columns);
    const float4* with = reinterpret_cast<const float4*>(x);
    float sum = 0;
    for (int i = threadIdx.x; i < columns / 4; i += 32) {
        const float4 a = from[i], b = with[i];
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x == 0) y[row] = sum;
}
