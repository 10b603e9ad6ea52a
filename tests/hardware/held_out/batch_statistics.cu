/*
[kernel]
title   = "Mean and variance of columns by Welford's rule, merged in shared memory"

[parameters]
columns = { default = 1024 }
rows = { default = 4096 }

[buffers]
in = { type = "f32", length = "columns * rows", fill = "random", seed = "220" }
mean = { type = "f32", length = "columns", fill = "zero" }
variance = { type = "f32", length = "columns", fill = "zero" }

[launch]
arguments = ["in", "mean", "variance", "columns", "rows"]
grid  = ["columns // 32"]
block = ["32", "32"]
*/
extern "C" __global__ void batch_statistics(const float* __restrict__ in, float* __restrict__ mean,
                                            float* __restrict__ variance, int columns, int rows) {
    __shared__ float means[32][33], sums[32][33];
    const int column = blockIdx.x * 32 + threadIdx.x;
    float average = 0, sum = 0;
    int count = 0;
    for (int row = threadIdx.y; row < rows; row += 32) {
        const float x = in[row * columns + column], apart = x - average;
        ++count;
        average += __fdividef(apart, count);
        sum += apart * (x - average);
    }
    means[threadIdx.y][threadIdx.x] = average;
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    average = means[threadIdx.x][threadIdx.y];
    sum = sums[threadIdx.x][threadIdx.y];
    float each = count;
    for (int distance = 16; distance > 0; distance /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, average, distance), apart = other - average;
        sum += __shfl_xor_sync(0xffffffffu, sum, distance) + apart * apart * each / 2;
        average = (average + other) / 2;
        each *= 2;
    }
    if (threadIdx.x == 0) {
        mean[blockIdx.x * 32 + threadIdx.y] = average;
        variance[blockIdx.x * 32 + threadIdx.y] = sum / rows;
    }
}
