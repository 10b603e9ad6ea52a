/*
[kernel]
title   = "Two-point angular correlation: pairs of directions are binned by their dot product, a binary search over the bins' edges, in a histogram of the block"

[parameters]
stars = { default = 4224 }
others = { default = 128 }

[buffers]
x = { type = "f32", length = "stars", fill = "random", seed = "1321" }
y = { type = "f32", length = "stars", fill = "random", seed = "1322" }
z = { type = "f32", length = "stars", fill = "random", seed = "1323" }
edges = { type = "f32", length = "21", fill = "formula", value = "1 - i / 10" }
histogram = { type = "u32", length = "20", fill = "zero" }

[launch]
arguments = ["x", "y", "z", "edges", "histogram", "stars", "others"]
grid  = ["ceil_div(stars, 256)", "8"]
block = ["256"]
*/
extern "C" __global__ void angular_pairs(const float* __restrict__ x, const float* __restrict__ y,
                                         const float* __restrict__ z, const float* __restrict__ edges,
                                         unsigned* histogram, int stars, int others) {
    __shared__ unsigned counts[20];
    __shared__ float limits[21];
    if (threadIdx.x < 20) counts[threadIdx.x] = 0;
    if (threadIdx.x < 21) limits[threadIdx.x] = edges[threadIdx.x];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < stars) {
        const float mine_x = x[i], mine_y = y[i], mine_z = z[i];
        const int first = blockIdx.y * others / 8, last = (blockIdx.y + 1) * others / 8;
        for (int j = first; j < last; ++j) {
            const float dot = mine_x * x[j] + mine_y * y[j] + mine_z * z[j];
            int low = 0, high = 20;
            while (high > low + 1) {
                const int middle = (low + high) / 2;
                if (dot >= limits[middle]) high = middle;
                else low = middle;
            }
            if (dot < limits[0] && dot >= limits[20]) atomicAdd(&counts[low], 1u);
        }
    }
    __syncthreads();
    if (threadIdx.x < 20) atomicAdd(&histogram[threadIdx.x], counts[threadIdx.x]);
}
