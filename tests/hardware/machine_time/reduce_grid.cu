/*
[kernel]
title   = "Sum of a large array, float4 loads, shuffles, one atomic per block"

[parameters]
n = { default = 4194304 }

[buffers]
in = { type = "f32", length = "n", fill = "random", seed = "9" }
out = { type = "f32", length = "1", fill = "zero" }

[launch]
arguments = ["in", "out", "n"]
grid  = ["528"]
block = ["256"]
*/
extern "C" __global__ void reduce_grid(const float4* in, float* out, int n) {
    __shared__ float parts[8];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        const float4 v = in[i];
        sum += v.x + v.y + v.z + v.w;
    }
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 8) {
        sum = parts[threadIdx.x];
        for (int distance = 4; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffu, sum, distance);
        if (threadIdx.x == 0) atomicAdd(out, sum);
    }
}
