/*
[kernel]
title   = "Pairs of points counted by their angle: a binary search for the bin of each, counters in shared memory"

[parameters]
pairs = { default = 540672 }
bins = { default = 21, macro = true }

[buffers]
limits = { type = "f32", length = "bins", fill = "formula", value = "1.0 - i * 0.05" }
a = { type = "f32", length = "pairs", fill = "random", seed = "708" }
b = { type = "f32", length = "pairs", fill = "random", seed = "709" }
counts = { type = "u32", length = "bins + 1", fill = "zero" }

[launch]
arguments = ["limits", "a", "b", "counts", "pairs"]
grid  = ["264"]
block = ["256"]
*/
extern "C" __global__ void angle_bins(const float* __restrict__ limits, const float* __restrict__ a, const float* __restrict__ b,
                                      unsigned* counts, int pairs) {
    __shared__ unsigned local[bins + 1];
    __shared__ float edges[bins];
    if (threadIdx.x <= bins) local[threadIdx.x] = 0;
    if (threadIdx.x < bins) edges[threadIdx.x] = limits[threadIdx.x];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
        const float dot = a[i] * b[i];
        int low = 0, high = bins;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (edges[middle] > dot) low = middle + 1;
            else high = middle;
        }
        atomicAdd(&local[low], 1u);
    }
    __syncthreads();
    if (threadIdx.x <= bins) atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}
