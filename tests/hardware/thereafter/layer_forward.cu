/*
[kernel]
title   = "Forward pass of a layer with 16 hidden units: blocks of 16 x 16 multiply weights by inputs and sum columns in shared memory"

[parameters]
inputs = { default = 16896 }

[buffers]
units = { type = "f32", length = "inputs + 1", fill = "random", seed = "1120" }
weights = { type = "f32", length = "(inputs + 1) * 17", fill = "random", seed = "1121" }
sums = { type = "f32", length = "inputs", fill = "zero" }

[launch]
arguments = ["units", "weights", "sums"]
grid  = ["inputs // 16"]
block = ["16", "16"]
*/
extern "C" __global__ void layer_forward(const float* units, float* weights, float* sums) {
    __shared__ float node[16], product[16][16];
    const int x = threadIdx.x, y = threadIdx.y, at = 17 * (16 * blockIdx.x + y + 1) + x + 1;
    if (x == 0) node[y] = units[16 * blockIdx.x + y + 1];
    __syncthreads();
    product[y][x] = weights[at];
    __syncthreads();
    product[y][x] *= node[y];
    __syncthreads();
    for (int k = 1; k <= 4; ++k) {
        const int distance = 1 << k;
        if (y % distance == 0) product[y][x] += product[y + distance / 2][x];
        __syncthreads();
    }
    weights[at] = product[y][x];
    __syncthreads();
    if (x == 0) sums[blockIdx.x * 16 + y] = product[x][y];
}
