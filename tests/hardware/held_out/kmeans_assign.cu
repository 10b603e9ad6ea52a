/*
[kernel]
title   = "Nearest of 64 centres of eight dimensions, centres in shared memory, counts by shared atomics"

[parameters]
points = { default = 262144 }

[buffers]
x = { type = "f32", length = "points * 8", fill = "random", seed = "217" }
centres = { type = "f32", length = "64 * 8", fill = "random", seed = "218" }
nearest = { type = "u32", length = "points", fill = "zero" }
counts = { type = "u32", length = "64", fill = "zero" }

[launch]
arguments = ["x", "centres", "nearest", "counts", "points"]
grid  = ["points // 256"]
block = ["256"]
*/
extern "C" __global__ void kmeans_assign(const float* __restrict__ x, const float* __restrict__ centres,
                                         unsigned* __restrict__ nearest, unsigned* counts, int points) {
    __shared__ float centre[64][8];
    __shared__ unsigned count[64];
    for (int i = threadIdx.x; i < 512; i += 256) centre[i / 8][i % 8] = centres[i];
    if (threadIdx.x < 64) count[threadIdx.x] = 0;
    __syncthreads();
    const int point = blockIdx.x * 256 + threadIdx.x;
    float own[8];
    for (int k = 0; k < 8; ++k) own[k] = x[k * points + point];
    float least = 1e30f;
    unsigned best = 0;
    for (unsigned j = 0; j < 64; ++j) {
        float distance = 0;
        for (int k = 0; k < 8; ++k) {
            const float apart = own[k] - centre[j][k];
            distance += apart * apart;
        }
        if (distance < least) least = distance, best = j;
    }
    nearest[point] = best;
    atomicAdd(&count[best], 1);
    __syncthreads();
    if (threadIdx.x < 64 && count[threadIdx.x] > 0) atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
}
