/*
[kernel]
title   = "Mandelbrot set with double precision near the boundary"

[parameters]
width  = { default = 200, min = 8, max = 4096 }
height = { default = 120, min = 8, max = 4096 }
most   = { default = 300, min = 1, max = 10000 }

[buffers]
out = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["out", "width", "height", "most"]
grid  = ["ceil_div(width, 16)", "ceil_div(height, 8)"]
block = ["16", "8"]
*/
extern "C" __global__ void mandelbrot_smooth(float* out, int width, int height, int most) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    const float cx = -2.2f + 3.2f * column / width, cy = -1.2f + 2.4f * row / height;
    float x = 0.0f, y = 0.0f;
    int i = 0;
    while (i < most && x * x + y * y < 16.0f) {
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        ++i;
    }
    if (i > most / 2) {
        double dx = 0.0, dy = 0.0;
        i = 0;
        while (i < most && dx * dx + dy * dy < 16.0) {
            const double next = dx * dx - dy * dy + cx;
            dy = 2.0 * dx * dy + cy;
            dx = next;
            ++i;
        }
        x = static_cast<float>(dx);
        y = static_cast<float>(dy);
    }
    out[row * width + column] = i == most ? 0.0f : i + 1.0f - log2f(0.5f * log2f(x * x + y * y));
}
