/*
[kernel]
title   = "Softmax of long rows, maximum and sum in one sweep"

[parameters]
rows = { default = 512 }
columns = { default = 6144 }

[buffers]
in = { type = "f32", length = "rows * columns", fill = "random", seed = "3" }
out = { type = "f32", length = "rows * columns", fill = "zero" }

[launch]
arguments = ["in", "out", "columns"]
grid  = ["rows"]
block = ["256"]
*/
extern "C" __global__ void softmax_online(const float* in, float* out, int columns) {
    __shared__ float maxima[8], sums[8];
    in += static_cast<size_t>(blockIdx.x) * columns;
    out += static_cast<size_t>(blockIdx.x) * columns;
    float largest = -3.4e38f, sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        const float value = in[i], next = fmaxf(largest, value);
        sum = sum * expf(largest - next) + expf(value - next);
        largest = next;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, largest, distance);
        const float theirs = __shfl_xor_sync(0xffffffffu, sum, distance);
        const float next = fmaxf(largest, other);
        sum = sum * expf(largest - next) + theirs * expf(other - next);
        largest = next;
    }
    if (threadIdx.x % 32 == 0) {
        maxima[threadIdx.x / 32] = largest;
        sums[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    largest = maxima[0];
    for (int i = 1; i < 8; ++i) largest = fmaxf(largest, maxima[i]);
    sum = 0;
    for (int i = 0; i < 8; ++i) sum += sums[i] * expf(maxima[i] - largest);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) out[i] = expf(in[i] - largest) / sum;
}
