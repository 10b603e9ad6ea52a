/*
[kernel]
title   = "A copy as wide as the GPU"
subject = "Timing probes"
lesson  = "More resident warps, more bytes under way."

[parameters]
n = { default = 4194304, min = 1, max = 268435456, help = "elements copied" }
blocks_per_sm = { default = 1, values = [1, 2, 4, 8], help = "held there by shared memory" }
threads = { default = 64, values = [64, 256, 1024], help = "threads a block" }

[buffers]
x = { type = "f32", length = "n" }
y = { type = "f32", length = "n" }

[launch]
arguments = ["x", "y", "n"]
grid  = ["132 * blocks_per_sm"]
block = ["threads"]
dynamic_shared_bytes = "1024 * (blocks_per_sm == 1 and 120 or blocks_per_sm == 2 and 100 or blocks_per_sm == 4 and 50 or 25)"
*/

// The launches behind h200_bandwidth.csv.
extern "C" __global__ void copy_stream(const float* x, float* y, size_t n) {
    extern __shared__ float pad[];
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        y[i] = x[i];
}
