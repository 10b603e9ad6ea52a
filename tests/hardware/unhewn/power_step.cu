/*
[kernel]
title   = "A step of the power method: a block for each four rows of a dense matrix, and the norm of what comes out"

[parameters]
n = { default = 1056 }

[buffers]
matrix = { type = "f32", length = "n * n", fill = "random", seed = "2311" }
x = { type = "f32", length = "n", fill = "random", seed = "2312" }
y = { type = "f32", length = "n", fill = "zero" }
norm = { type = "f32", length = "1", fill = "zero" }

[launch]
arguments = ["matrix", "x", "y", "norm", "n"]
grid  = ["n // 4"]
block = ["128"]
*/
extern "C" __global__ void power_step(const float* __restrict__ matrix, const float* __restrict__ x, float* __restrict__ y, float* __restrict__ norm, int n) {
    __shared__ float squares[4];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 4 + warp;
    float sum = 0;
    for (int column = lane; column < n; column += 32) sum = fmaf(matrix[row * n + column], x[column], sum);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0) {
        y[row] = sum;
        squares[warp] = sum * sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(norm, squares[0] + squares[1] + squares[2] + squares[3]);
}
