/*
[kernel]
title   = "A box filter along columns: a running sum that takes one pixel in and lets one out, one column per thread"

[parameters]
width = { default = 33792 }
height = { default = 64, macro = true }
radius = { default = 4, macro = true }

[buffers]
in = { type = "f32", length = "width * height", fill = "random", seed = "715" }
out = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["in", "out", "width"]
grid  = ["ceil_div(width, 64)"]
block = ["64"]
*/
extern "C" __global__ void box_columns(const float* __restrict__ in, float* __restrict__ out, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    float sum = in[x] * radius;
    for (int y = 0; y <= radius; ++y) sum += in[y * width + x];
    for (int y = 0; y < height; ++y) {
        out[y * width + x] = sum * (1.0f / (2 * radius + 1));
        const int leaves = y - radius < 0 ? 0 : y - radius, enters = y + radius + 1 < height ? y + radius + 1 : height - 1;
        sum += in[enters * width + x] - in[leaves * width + x];
    }
}
