/*
[kernel]
title   = "Many right-hand sides of a lower triangular system of 32: the matrix in shared memory, a thread per column that keeps it in registers"

[parameters]
systems = { default = 264 }

[buffers]
lower = { type = "f32", length = "systems * 1024", fill = "formula", value = "1 + random(100) / 400", seed = "1314" }
sides = { type = "f32", length = "systems * 32 * 256", fill = "random", seed = "1315" }

[launch]
arguments = ["lower", "sides"]
grid  = ["systems", "2"]
block = ["128"]
*/
extern "C" __global__ void __launch_bounds__(128) triangular_solve(const float* __restrict__ lower, float* __restrict__ sides) {
    __shared__ float l[32][32];
    const int t = threadIdx.x;
    for (int i = t; i < 1024; i += 128) l[i / 32][i % 32] = lower[blockIdx.x * 1024 + i];
    float* side = sides + blockIdx.x * 32 * 256 + blockIdx.y * 128 + t;
    float x[32];
#pragma unroll
    for (int row = 0; row < 32; ++row) x[row] = side[row * 256];
    __syncthreads();
#pragma unroll
    for (int row = 0; row < 32; ++row) {
#pragma unroll
        for (int k = 0; k < row; ++k) x[row] -= l[row][k] * x[k];
        x[row] /= l[row][row];
    }
#pragma unroll
    for (int row = 0; row < 32; ++row) side[row * 256] = x[row];
}
