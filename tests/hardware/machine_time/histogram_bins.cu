/*
[kernel]
title   = "Histogram of random bytes by shared atomics"

[parameters]
n = { default = 2097152 }

[buffers]
data = { type = "u32", length = "n", fill = "random", seed = "8", below = "256" }
counts = { type = "u32", length = "256", fill = "zero" }

[launch]
arguments = ["data", "counts", "n"]
grid  = ["264"]
block = ["256"]
*/
extern "C" __global__ void histogram_bins(const unsigned* data, unsigned* counts, int n) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1u);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
