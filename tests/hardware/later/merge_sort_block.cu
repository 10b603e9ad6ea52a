/*
[kernel]
title   = "Blocks sort 1024 keys by merging runs in shared memory: each thread finds the places of four keys in the other run by bisection"

[parameters]
tiles = { default = 264 }

[buffers]
keys = { type = "u32", length = "tiles * 1024", fill = "random", seed = "1007", below = "4294967295" }

[launch]
arguments = ["keys"]
grid  = ["tiles"]
block = ["256"]
*/
extern "C" __global__ void __launch_bounds__(256) merge_sort_block(unsigned* keys) {
    __shared__ unsigned tile[2][1024];
    unsigned* mine = keys + blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += 256) tile[0][i] = mine[i];
    __syncthreads();
    int now = 0;
    for (int run = 1; run < 1024; run *= 2, now ^= 1) {
        for (int i = threadIdx.x; i < 1024; i += 256) {
            const unsigned key = tile[now][i];
            const int pair = i / (2 * run) * 2 * run, second = i / run & 1, other = pair + (second ? 0 : run);
            int low = 0, high = run;
            while (low < high) {
                const int middle = (low + high) / 2;
                const unsigned there = tile[now][other + middle];
                if (there < key || (second && there == key)) low = middle + 1;
                else high = middle;
            }
            tile[now ^ 1][pair + i % run + low] = key;
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 1024; i += 256) mine[i] = tile[now][i];
}
