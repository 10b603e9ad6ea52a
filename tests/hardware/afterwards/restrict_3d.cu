/*
[kernel]
title   = "Multigrid: a coarse point is the weighted sum of 27 fine points around it, every second one in each direction"

[parameters]
n = { default = 192 }

[buffers]
fine = { type = "f32", length = "(n + 2) * (n + 2) * (n + 2)", fill = "random", seed = "905" }
coarse = { type = "f32", length = "n // 2 * (n // 2) * (n // 2)", fill = "zero" }

[launch]
arguments = ["fine", "coarse", "n"]
grid  = ["n // 64", "n // 8", "n // 2"]
block = ["32", "4"]
*/
extern "C" __global__ void restrict_3d(const float* __restrict__ fine, float* __restrict__ coarse, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z;
    const int row = n + 2, plane = row * row;
    const float* at = fine + (2 * z + 1) * plane + (2 * y + 1) * row + 2 * x + 1;
    float sum = 0;
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const int apart = (dz != 0) + (dy != 0) + (dx != 0);
                sum += at[dz * plane + dy * row + dx] * (0.125f / float(1 << apart));
            }
    coarse[(z * (n / 2) + y) * (n / 2) + x] = sum;
}
