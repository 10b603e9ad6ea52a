/*
[kernel]
title   = "Each warp sorts 32 keys with their indices by exchanges between lanes, and writes those below a bound"

[parameters]
n = { default = 540672 }
bound = { default = 48000 }

[buffers]
keys = { type = "u32", length = "n", fill = "random", seed = "1831", below = "65536" }
sorted = { type = "u32", length = "n", fill = "zero" }
index = { type = "u32", length = "n", fill = "zero" }

[launch]
arguments = ["keys", "sorted", "index", "n", "bound"]
grid  = ["n / 256"]
block = ["256"]
*/
extern "C" __global__ void warp_sorts(const unsigned* __restrict__ keys, unsigned* __restrict__ sorted,
                                      unsigned* __restrict__ index, int n, unsigned bound) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    unsigned key = keys[i], place = i;
    for (int size = 2; size <= 32; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            const unsigned other = __shfl_xor_sync(~0u, key, step), there = __shfl_xor_sync(~0u, place, step);
            const bool lower = (lane & step) == 0, up = (lane & size) == 0;
            if ((key > other) == (lower == up) && key != other) {
                key = other;
                place = there;
            }
        }
    if (key >= bound) return;
    sorted[i] = key;
    index[i] = place;
}
