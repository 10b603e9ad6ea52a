/*
[kernel]
title   = "Cholesky factors of matrices of 16, half a warp each, a row per lane"

[parameters]
count = { default = 4096 }

[buffers]
in = { type = "f32", length = "count * 256", fill = "random", seed = "125" }
out = { type = "f32", length = "count * 256", fill = "zero" }

[launch]
arguments = ["in", "out", "count"]
grid  = ["count // 8"]
block = ["16", "8"]
*/
extern "C" __global__ void cholesky_batch(const float* in, float* out, int count) {
    __shared__ float all[8][16][17];
    const int matrix = blockIdx.x * 8 + threadIdx.y, row = threadIdx.x;
    if (matrix >= count) return;
    float(*a)[17] = all[threadIdx.y];
    for (int i = 0; i < 16; ++i) a[i][row] = in[matrix * 256 + i * 16 + row] + (i == row ? 16.0f : 0.0f);
    __syncwarp();
    for (int k = 0; k < 16; ++k) {
        const float pivot = sqrtf(a[k][k]);
        const float factor = row > k ? a[row][k] / pivot : row == k ? pivot : 0.0f;
        __syncwarp();
        a[row][k] = factor;
        __syncwarp();
        for (int j = k + 1; j < 16; ++j)
            if (row >= j) a[row][j] -= factor * a[j][k];
        __syncwarp();
    }
    for (int i = 0; i < 16; ++i) out[matrix * 256 + i * 16 + row] = a[i][row];
}
