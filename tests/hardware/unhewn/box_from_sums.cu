/*
[kernel]
title   = "Mean and deviation in a window around each pixel, from tables of summed values and squares"

[parameters]
width = { default = 1056 }
height = { default = 512 }

[buffers]
sums = { type = "f32", length = "width * height", fill = "random", seed = "2251" }
squares = { type = "f32", length = "width * height", fill = "random", seed = "2252" }
out = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["sums", "squares", "out", "width", "height"]
grid  = ["width // 32", "height // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void box_from_sums(const float* __restrict__ sums, const float* __restrict__ squares, float* __restrict__ out, int width, int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const int left = max(x - 8, 0), right = min(x + 7, width - 1), top = max(y - 8, 0), bottom = min(y + 7, height - 1);
    const auto inside = [&](const float* table) {
        return table[bottom * width + right] - table[bottom * width + left] - table[top * width + right] + table[top * width + left];
    };
    const float area = 1.0f / ((right - left) * (bottom - top)), mean = inside(sums) * area;
    out[y * width + x] = sqrtf(fabsf(inside(squares) * area - mean * mean));
}
