/*
[kernel]
title   = "The fused part of a step of conjugate gradients: two vectors updated, and the square of the rest summed by shuffles and one atomic a block"

[parameters]
n = { default = 675840 }

[buffers]
direction = { type = "f32", length = "n", fill = "random", seed = "1701" }
product = { type = "f32", length = "n", fill = "random", seed = "1702" }
solution = { type = "f32", length = "n", fill = "random", seed = "1703" }
rest = { type = "f32", length = "n", fill = "random", seed = "1704" }
square = { type = "f32", length = "1", fill = "zero" }

[launch]
arguments = ["direction", "product", "solution", "rest", "square", "n"]
grid  = ["n // 512"]
block = ["256"]
*/
extern "C" __global__ void cg_step(const float* __restrict__ direction, const float* __restrict__ product, float* __restrict__ solution,
                                   float* __restrict__ rest, float* square, int n) {
    __shared__ float parts[8];
    const float alpha = 0.37f;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        const int i = (blockIdx.x * 2 + k) * 256 + threadIdx.x;
        if (i < n) {
            solution[i] += alpha * direction[i];
            const float left = rest[i] - alpha * product[i];
            rest[i] = left;
            sum += left * left;
        }
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < 8 ? parts[threadIdx.x] : 0.0f;
        for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
        if (threadIdx.x == 0) atomicAdd(square, sum);
    }
}
