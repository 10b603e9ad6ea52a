/*
[kernel]
title   = "Points added to the sums of their clusters: integer atomics in shared memory, then one per cluster and block"

[parameters]
points = { default = 2162688 }
clusters = { default = 48, macro = true }

[buffers]
cluster = { type = "u8", length = "points", fill = "random", seed = "606", below = "48" }
x = { type = "i32", length = "points", fill = "random", seed = "607", below = "4096" }
y = { type = "i32", length = "points", fill = "random", seed = "608", below = "4096" }
sums = { type = "i32", length = "clusters * 3", fill = "zero" }

[launch]
arguments = ["cluster", "x", "y", "sums", "points"]
grid  = ["264"]
block = ["1024"]
*/
extern "C" __global__ void centroid_sums(const unsigned char* __restrict__ cluster, const int* __restrict__ x,
                                         const int* __restrict__ y, int* sums, int points) {
    __shared__ int local[clusters * 3];
    for (int i = threadIdx.x; i < clusters * 3; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < points; i += gridDim.x * blockDim.x) {
        const int c = cluster[i] * 3;
        atomicAdd(&local[c], x[i]);
        atomicAdd(&local[c + 1], y[i]);
        atomicAdd(&local[c + 2], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < clusters * 3; i += blockDim.x) atomicAdd(&sums[i], local[i]);
}
