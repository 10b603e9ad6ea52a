/*
[kernel]
title   = "Gradient boosting: sums of gradients and of second derivatives for 64 bins of each of eight features, in shared memory first"

[parameters]
rows = { default = 135168 }

[buffers]
bins = { type = "u8", length = "rows * 8", fill = "random", seed = "2691", below = "64" }
gradients = { type = "f32", length = "rows * 2", fill = "random", seed = "2692" }
sums = { type = "f32", length = "8 * 64 * 2", fill = "zero" }

[launch]
arguments = ["bins", "gradients", "sums", "rows"]
grid  = ["132"]
block = ["256"]
*/
extern "C" __global__ void boost_histograms(const uint2* __restrict__ bins, const float2* __restrict__ gradients, float* __restrict__ sums, int rows) {
    __shared__ float local_sums[1024];
    for (int i = threadIdx.x; i < 1024; i += 256) local_sums[i] = 0;
    __syncthreads();
    for (int row = blockIdx.x * 256 + threadIdx.x; row < rows; row += gridDim.x * 256) {
        const uint2 packed = bins[row];
        const float2 gradient = gradients[row];
#pragma unroll
        for (int feature = 0; feature < 8; ++feature) {
            const unsigned bin = (feature < 4 ? packed.x : packed.y) >> (feature % 4 * 8) & 255u;
            atomicAdd(&local_sums[(feature * 64 + bin) * 2], gradient.x);
            atomicAdd(&local_sums[(feature * 64 + bin) * 2 + 1], gradient.y);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 256) atomicAdd(&sums[i], local_sums[i]);
}
