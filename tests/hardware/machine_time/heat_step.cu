/*
[kernel]
title   = "Five-point stencil from global memory"

[parameters]
n = { default = 2048 }

[buffers]
in = { type = "f32", length = "n * n", fill = "random", seed = "14" }
out = { type = "f32", length = "n * n", fill = "zero" }

[launch]
arguments = ["in", "out", "n"]
grid  = ["n // 32", "n // 16"]
block = ["32", "16"]
*/
extern "C" __global__ void heat_step(const float* in, float* out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return;
    const float centre = in[y * n + x];
    out[y * n + x] = centre + 0.2f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] +
                                      in[(y + 1) * n + x] - 4 * centre);
}
