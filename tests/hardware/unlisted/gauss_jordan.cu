/*
[kernel]
title   = "Inverses of 32 x 32 matrices by Gauss-Jordan elimination: a warp for each, a row in each lane, the pivot's row by shuffles"

[parameters]
matrices = { default = 1056 }

[buffers]
given = { type = "f32", length = "matrices * 1024", fill = "random", seed = "1451" }
inverse = { type = "f32", length = "matrices * 1024", fill = "zero" }

[launch]
arguments = ["given", "inverse", "matrices"]
grid  = ["ceil_div(matrices, 4)"]
block = ["128"]
*/
extern "C" __global__ void gauss_jordan(const float* __restrict__ given, float* __restrict__ inverse,
                                        int matrices) {
    __shared__ float tile[4][32][33];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int matrix = blockIdx.x * 4 + warp;
    if (matrix >= matrices) return;
    float row[32];
    for (int k = 0; k < 32; ++k) tile[warp][k][lane] = given[matrix * 1024 + k * 32 + lane];
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 32; ++k) row[k] = tile[warp][lane][k] + (k == lane ? 40.0f : 0.0f);
#pragma unroll
    for (int pivot = 0; pivot < 32; ++pivot) {
        const float scale = 1.0f / __shfl_sync(0xffffffffu, row[pivot], pivot);
        const float factor = lane == pivot ? 0.0f : row[pivot];
        row[pivot] = lane == pivot ? 1.0f : 0.0f;
#pragma unroll
        for (int k = 0; k < 32; ++k) {
            const float above = __shfl_sync(0xffffffffu, row[k], pivot) * scale;
            row[k] = lane == pivot ? above : row[k] - factor * above;
        }
    }
#pragma unroll
    for (int k = 0; k < 32; ++k) tile[warp][lane][k] = row[k];
    __syncwarp();
    for (int k = 0; k < 32; ++k) inverse[matrix * 1024 + k * 32 + lane] = tile[warp][k][lane];
}
