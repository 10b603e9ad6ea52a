/*
[kernel]
title   = "Look-ups in a B+ tree of order 128: a block per query, a thread per key of a node, a barrier between the levels"

[parameters]
queries = { default = 3168 }

[buffers]
wanted = { type = "i32", length = "queries", fill = "random", seed = "1123", below = "2097152" }
keys = { type = "i32", length = "(1 + 128 + 16384) * 129", fill = "formula", value = "i < 129 and (i * 16384) or i < 16641 and (math.floor((i - 129) / 129) * 16384 + (i - 129) % 129 * 128) or (math.floor((i - 16641) / 129) * 128 + (i - 16641) % 129)" }
found = { type = "i32", length = "queries", fill = "zero" }

[launch]
arguments = ["wanted", "keys", "found"]
grid  = ["queries"]
block = ["128"]
*/
extern "C" __global__ void tree_of_keys(const int* __restrict__ wanted, const int* __restrict__ keys, int* __restrict__ found) {
    __shared__ int child;
    if (threadIdx.x == 0) child = 0;
    const int want = wanted[blockIdx.x];
    __syncthreads();
    int first = 0, nodes = 1;
    for (int level = 0; level < 2; ++level) {
        const int* node = keys + (first + child) * 129;
        const bool here = node[threadIdx.x] <= want && want < node[threadIdx.x + 1];
        const int next = child * 128 + threadIdx.x;
        __syncthreads();
        if (here) child = next;
        __syncthreads();
        first += nodes;
        nodes *= 128;
    }
    if (keys[(first + child) * 129 + threadIdx.x] == want) found[blockIdx.x] = child * 129 + threadIdx.x;
}
