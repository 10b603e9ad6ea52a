/*
[kernel]
title   = "Bitonic sort of each warp's 32 elements by shuffles"

[parameters]
n = { default = 1048576 }

[buffers]
data = { type = "u32", length = "n", fill = "random", seed = "25", below = "1000000" }

[launch]
arguments = ["data"]
grid  = ["n // 256"]
block = ["256"]
*/
extern "C" __global__ void bitonic_warp(unsigned* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    unsigned value = data[i];
    for (int size = 2; size <= 32; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2) {
            const unsigned other = __shfl_xor_sync(0xffffffffu, value, distance);
            const bool ascending = (lane & size) == 0, lower = (lane & distance) == 0;
            value = ascending == lower ? min(value, other) : max(value, other);
        }
    data[i] = value;
}
