/*
[kernel]
title   = "A block's partition by a pivot: flags are counted by votes and a scan over the warps, then both sides are written in their order"

[parameters]
n = { default = 540672 }

[buffers]
keys = { type = "u32", length = "n", fill = "random", seed = "1481", below = "2147483648" }
parted = { type = "u32", length = "n", fill = "zero" }
counts = { type = "u32", length = "ceil_div(n, 256)", fill = "zero" }

[launch]
arguments = ["keys", "parted", "counts", "n"]
grid  = ["ceil_div(n, 256)"]
block = ["256"]
*/
extern "C" __global__ void partition_flags(const unsigned* __restrict__ keys, unsigned* __restrict__ parted,
                                           unsigned* __restrict__ counts, int n) {
    __shared__ unsigned warps[8];
    const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned key = i < n ? keys[i] : 0x7fffffffu;
    const bool low = key < 0x40000000u;
    const unsigned votes = __ballot_sync(0xffffffffu, low);
    if (lane == 0) warps[warp] = __popc(votes);
    __syncthreads();
    if (warp == 0) {
        unsigned sum = lane < 8 ? warps[lane] : 0;
        for (int by = 1; by < 8; by *= 2) {
            const unsigned before = __shfl_up_sync(0xffffffffu, sum, by);
            if (lane >= by) sum += before;
        }
        if (lane < 8) warps[lane] = sum;
    }
    __syncthreads();
    const unsigned before = (warp > 0 ? warps[warp - 1] : 0) + __popc(votes & ((1u << lane) - 1));
    const unsigned lows = warps[7];
    if (i < n) parted[blockIdx.x * 256 + (low ? before : lows + threadIdx.x - before)] = key;
    if (threadIdx.x == 0) counts[blockIdx.x] = lows;
}
