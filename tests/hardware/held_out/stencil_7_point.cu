/*
[kernel]
title   = "Seven-point stencil of a volume, one thread per cell, neighbours from global memory"

[parameters]
n = { default = 160 }

[buffers]
in = { type = "f32", length = "n * n * n", fill = "random", seed = "209" }
out = { type = "f32", length = "n * n * n", fill = "zero" }

[launch]
arguments = ["in", "out", "n"]
grid  = ["n // 32", "n // 4", "n // 2"]
block = ["32", "4", "2"]
*/
extern "C" __global__ void stencil_7_point(const float* __restrict__ in, float* __restrict__ out, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 2 + threadIdx.z;
    const int plane = n * n, at = z * plane + y * n + x;
    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) return;
    out[at] = 0.4f * in[at] + 0.1f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - plane] + in[at + plane]);
}
