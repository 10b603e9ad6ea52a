/*
[kernel]
title   = "Distance of Hausdorff from one set of points to another: the other set in tiles of shared memory, the largest of the least by an atomic"

[parameters]
points = { default = 16896 }
others = { default = 2048 }

[buffers]
a = { type = "f32", length = "points * 2", fill = "random", seed = "2621" }
b = { type = "f32", length = "others * 2", fill = "random", seed = "2622" }
farthest = { type = "u32", length = "1", fill = "zero" }

[launch]
arguments = ["a", "b", "farthest", "others"]
grid  = ["points // 128"]
block = ["128"]
*/
extern "C" __global__ void hausdorff_points(const float2* __restrict__ a, const float2* __restrict__ b, unsigned* __restrict__ farthest, int others) {
    __shared__ float2 tile[256];
    __shared__ float largest[4];
    const float2 own = a[blockIdx.x * 128 + threadIdx.x];
    float least = 1e30f;
    for (int begin = 0; begin < others; begin += 256) {
        __syncthreads();
        tile[threadIdx.x] = b[begin + threadIdx.x];
        tile[128 + threadIdx.x] = b[begin + 128 + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 256; ++k) {
            const float x = tile[k].x - own.x, y = tile[k].y - own.y;
            least = fminf(least, x * x + y * y);
        }
    }
    for (int step = 16; step > 0; step /= 2) least = fmaxf(least, __shfl_xor_sync(0xffffffffu, least, step));
    if (threadIdx.x % 32 == 0) largest[threadIdx.x / 32] = least;
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(farthest, __float_as_uint(fmaxf(fmaxf(largest[0], largest[1]), fmaxf(largest[2], largest[3]))));
}
