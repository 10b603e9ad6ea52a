/*
[kernel]
title   = "Multigrid: a coarse correction of 66 x 66 x 34 is interpolated and added to the fine grid, a thread for each fine point"

[parameters]
n = { default = 128 }

[buffers]
coarse = { type = "f32", length = "66 * 66 * 34", fill = "random", seed = "2071" }
fine = { type = "f32", length = "n * n * 64", fill = "random", seed = "2072" }

[launch]
arguments = ["coarse", "fine", "n"]
grid  = ["n // 32", "n // 4", "64"]
block = ["32", "4"]
*/
extern "C" __global__ void prolong_3d(const float* __restrict__ coarse, float* __restrict__ fine, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z;
    const int cx = x / 2, cy = y / 2, cz = z / 2, ox = x & 1, oy = y & 1, oz = z & 1;
    float sum = 0;
#pragma unroll
    for (int corner = 0; corner < 8; ++corner) {
        const int dx = (corner & 1) * ox, dy = (corner >> 1 & 1) * oy, dz = (corner >> 2) * oz;
        sum += coarse[((cz + dz) * 66 + cy + dy) * 66 + cx + dx];
    }
    fine[(z * n + y) * n + x] += 0.125f * sum;
}
