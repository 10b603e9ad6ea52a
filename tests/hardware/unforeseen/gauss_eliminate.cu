/*
[kernel]
title   = "A step of Gaussian elimination: multiples of the pivot's row are taken from all rows below it"

[parameters]
n = { default = 1024 }
step = { default = 37 }

[buffers]
matrix = { type = "f32", length = "n * n", fill = "random", seed = "1509" }
factors = { type = "f32", length = "n", fill = "random", seed = "1510" }
right = { type = "f32", length = "n", fill = "random", seed = "1511" }

[launch]
arguments = ["matrix", "factors", "right", "n", "step"]
grid  = ["n // 16", "n // 16"]
block = ["16", "16"]
*/
extern "C" __global__ void gauss_eliminate(float* matrix, const float* factors, float* right, int n, int step) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= n - 1 - step || y >= n - step) return;
    const int row = x + 1 + step;
    matrix[row * n + y + step] -= factors[row] * matrix[step * n + y + step];
    if (y == 0) right[row] -= factors[row] * right[step];
}
