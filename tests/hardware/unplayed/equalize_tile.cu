/*
[kernel]
title   = "Contrast of a tile: its histogram in shared memory is summed up and maps each of its pixels"

[parameters]
tiles = { default = 512 }

[buffers]
picture = { type = "u8", length = "tiles * 1024", fill = "random", seed = "1591", below = "200" }
mapped = { type = "u8", length = "tiles * 1024", fill = "zero" }

[launch]
arguments = ["picture", "mapped"]
grid  = ["tiles"]
block = ["256"]
*/
extern "C" __global__ void equalize_tile(const unsigned char* __restrict__ picture,
                                         unsigned char* __restrict__ mapped) {
    __shared__ unsigned counts[256];
    const int t = threadIdx.x;
    const unsigned char* tile = picture + blockIdx.x * 1024;
    counts[t] = 0;
    __syncthreads();
    unsigned char own[4];
    for (int k = 0; k < 4; ++k) {
        own[k] = tile[t + 256 * k];
        atomicAdd(&counts[own[k]], 1u);
    }
    __syncthreads();
    for (int by = 1; by < 256; by *= 2) {
        const unsigned before = t >= by ? counts[t - by] : 0;
        __syncthreads();
        counts[t] += before;
        __syncthreads();
    }
    for (int k = 0; k < 4; ++k) mapped[blockIdx.x * 1024 + t + 256 * k] = counts[own[k]] * 255 / 1024;
}
