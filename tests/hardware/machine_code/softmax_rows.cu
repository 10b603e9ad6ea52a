/*
[kernel]
title   = "Softmax of rows, one block per row"

[parameters]
rows    = { default = 96, min = 1, max = 4096 }
columns = { default = 1000, min = 1, max = 16384 }

[buffers]
in  = { type = "f32", length = "rows * columns", fill = "random", seed = "3" }
out = { type = "f32", length = "rows * columns", fill = "zero" }

[launch]
arguments = ["in", "out", "columns"]
grid  = ["rows"]
block = ["256"]
*/
__device__ float block_maximum(float value, float* parts) {
    for (int distance = 16; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, distance));
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : -3.4e38f;
        for (int distance = 16; distance > 0; distance /= 2)
            value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, distance));
        if (threadIdx.x == 0) parts[0] = value;
    }
    __syncthreads();
    value = parts[0];
    __syncthreads();
    return value;
}

__device__ float block_sum(float value, float* parts) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0.0f;
        for (int distance = 16; distance > 0; distance /= 2)
            value += __shfl_xor_sync(0xffffffffu, value, distance);
        if (threadIdx.x == 0) parts[0] = value;
    }
    __syncthreads();
    return parts[0];
}

extern "C" __global__ void softmax_rows(const float* in, float* out, int columns) {
    __shared__ float parts[32];
    const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
    float* result = out + static_cast<size_t>(blockIdx.x) * columns;
    float largest = -3.4e38f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) largest = fmaxf(largest, row[i]);
    largest = block_maximum(largest, parts);
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        const float power = expf(row[i] - largest);
        result[i] = power;
        sum += power;
    }
    sum = block_sum(sum, parts);
    for (int i = threadIdx.x; i < columns; i += blockDim.x) result[i] /= sum;
}
