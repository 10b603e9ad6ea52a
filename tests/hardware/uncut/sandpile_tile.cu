/*
[kernel]
title   = "Sandpiles that topple until a tile is at rest: a barrier that counts in a loop over data"

[parameters]
tiles = { default = 1056 }

[buffers]
grains = { type = "i32", length = "tiles * 256", fill = "random", seed = "871", below = "7" }
rounds = { type = "i32", length = "tiles", fill = "zero" }

[launch]
arguments = ["grains", "rounds"]
grid  = ["tiles"]
block = ["16", "16"]
*/
extern "C" __global__ void sandpile_tile(int* __restrict__ grains, int* __restrict__ rounds) {
    __shared__ int pile[18][18];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, t = threadIdx.y * 16 + threadIdx.x;
    for (int at = t; at < 18 * 18; at += 256) pile[at / 18][at % 18] = 0;
    __syncthreads();
    pile[ty][tx] = grains[blockIdx.x * 256 + t];
    __syncthreads();
    int round = 0;
    for (; round < 40; ++round) {
        const int topples = pile[ty][tx] >= 4;
        if (!__syncthreads_or(topples)) break;
        const int gets = (pile[ty - 1][tx] >= 4) + (pile[ty + 1][tx] >= 4) + (pile[ty][tx - 1] >= 4) + (pile[ty][tx + 1] >= 4);
        __syncthreads();
        pile[ty][tx] += gets - 4 * topples;
        __syncthreads();
    }
    grains[blockIdx.x * 256 + t] = pile[ty][tx];
    if (t == 0) rounds[blockIdx.x] = round;
}
