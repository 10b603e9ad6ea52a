/*
[kernel]
title   = "Half a step of red-black Gauss-Seidel with relaxation, in place"

[parameters]
n = { default = 1536 }
colour = { default = 1 }

[buffers]
u = { type = "f32", length = "n * n", fill = "random", seed = "122" }
f = { type = "f32", length = "n * n", fill = "random", seed = "123" }

[launch]
arguments = ["u", "f", "n", "colour", "f32=1.5"]
grid  = ["n // 64", "n // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void red_black(float* u, const float* f, int n, int colour, float relaxation) {
    const int y = blockIdx.y * 8 + threadIdx.y, x = (blockIdx.x * 32 + threadIdx.x) * 2 + (y + colour) % 2;
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1) return;
    const int at = y * n + x;
    const float around = u[at - 1] + u[at + 1] + u[at - n] + u[at + n];
    u[at] += relaxation * (0.25f * (around - f[at]) - u[at]);
}
