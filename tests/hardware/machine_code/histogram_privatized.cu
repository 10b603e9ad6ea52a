/*
[kernel]
title   = "Histogram of bytes, one copy per warp in shared memory"

[parameters]
n = { default = 262144, min = 1024, max = 16777216, step = 1024 }

[buffers]
data = { type = "u32", length = "n // 4", fill = "lcg", seed = "7", below = "4294967295" }
bins = { type = "u32", length = "256", fill = "zero" }

[launch]
arguments = ["data", "bins", "n // 4"]
grid  = ["32"]
block = ["256"]
*/
extern "C" __global__ void histogram_privatized(const uint4* data, unsigned* bins, int words) {
    constexpr int copies = 8;
    __shared__ unsigned counts[copies][256];
    for (int i = threadIdx.x; i < copies * 256; i += blockDim.x) (&counts[0][0])[i] = 0;
    __syncthreads();
    unsigned* own = counts[threadIdx.x / 32];
    const auto add = [&](unsigned word) {
        atomicAdd(&own[word & 255], 1u);
        atomicAdd(&own[word >> 8 & 255], 1u);
        atomicAdd(&own[word >> 16 & 255], 1u);
        atomicAdd(&own[word >> 24], 1u);
    };
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words / 4; i += gridDim.x * blockDim.x) {
        const uint4 four = data[i];
        add(four.x);
        add(four.y);
        add(four.z);
        add(four.w);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        unsigned sum = 0;
        for (int copy = 0; copy < copies; ++copy) sum += counts[copy][bin];
        if (sum != 0) atomicAdd(&bins[bin], sum);
    }
}
