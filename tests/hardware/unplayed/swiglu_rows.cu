/*
[kernel]
title   = "A gated unit between two layers: each warp multiplies a row by the sigmoid of its gate and scales it by its largest value"

[parameters]
rows = { default = 4096 }
columns = { default = 192 }

[buffers]
gate = { type = "f32", length = "rows * columns", fill = "random", seed = "1571" }
up = { type = "f32", length = "rows * columns", fill = "random", seed = "1572" }
out = { type = "f32", length = "rows * columns", fill = "zero" }
scales = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["gate", "up", "out", "scales", "rows", "columns"]
grid  = ["ceil_div(rows, 4)"]
block = ["128"]
*/
extern "C" __global__ void swiglu_rows(const float* __restrict__ gate, const float* __restrict__ up,
                                       float* __restrict__ out, float* __restrict__ scales, int rows, int columns) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float most = 0;
    for (int c = lane; c < columns; c += 32) {
        const float g = gate[row * columns + c];
        const float value = g / (1.0f + __expf(-g)) * up[row * columns + c];
        out[row * columns + c] = value;
        most = fmaxf(most, fabsf(value));
    }
    for (int by = 16; by > 0; by /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, by));
    const float scale = most > 0 ? 127.0f / most : 1.0f;
    for (int c = lane; c < columns; c += 32) out[row * columns + c] *= scale;
    if (lane == 0) scales[row] = scale;
}
