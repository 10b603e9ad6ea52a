/*
[kernel]
title   = "Reads from DRAM by few or many warps"
subject = "Timing probes"
lesson  = "What loads at once cost beside loads one by one."

[parameters]
n = { default = 1081344, min = 1, max = 268435456, help = "elements read: a multiple of 132 * threads * ILP" }
threads = { default = 32, values = [32, 64, 128, 256, 512, 1024], help = "threads a block, one block per SM" }
ILP = { default = 1, values = [1, 4], macro = true, help = "loads at once" }

[buffers]
x = { type = "f32", length = "n" }
y = { type = "f32", length = "1" }

[launch]
arguments = ["x", "y", "n"]
grid  = ["132"]
block = ["threads"]
dynamic_shared_bytes = "1024 * 120"
*/

// The launches read of h100_memory_parameters.csv and h200_memory_parameters.csv, dram_bandwidth.
extern "C" __global__ void dram_read(const float* x, float* y, size_t n) {
    extern __shared__ float pad[];
    const size_t step = (size_t)gridDim.x * blockDim.x;
    float total = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += step * ILP) {
        float v[ILP];
#pragma unroll
        for (int k = 0; k < ILP; k++) v[k] = x[i + k * step];
#pragma unroll
        for (int k = 0; k < ILP; k++) total += v[k];
    }
    if (total == 1.f) y[0] = total;
}
