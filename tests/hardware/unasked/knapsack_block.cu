/*
[kernel]
title   = "Knapsacks: one block per problem, a row of the table in shared memory for each of 32 things"

[parameters]
problems = { default = 528 }

[buffers]
weights = { type = "u8", length = "problems * 32", fill = "random", seed = "1031", below = "40" }
values = { type = "u16", length = "problems * 32", fill = "random", seed = "1032", below = "1000" }
best = { type = "u32", length = "problems", fill = "zero" }

[launch]
arguments = ["weights", "values", "best"]
grid  = ["problems"]
block = ["256"]
*/
extern "C" __global__ void knapsack_block(const unsigned char* __restrict__ weights,
                                          const unsigned short* __restrict__ values, unsigned* __restrict__ best) {
    __shared__ unsigned rows[2][256];
    const int room = threadIdx.x;
    rows[0][room] = 0;
    __syncthreads();
    for (int thing = 0; thing < 32; ++thing) {
        const int weight = weights[blockIdx.x * 32 + thing];
        const unsigned value = values[blockIdx.x * 32 + thing];
        const unsigned* from = rows[thing & 1];
        unsigned most = from[room];
        if (room >= weight) most = max(most, from[room - weight] + value);
        rows[(thing + 1) & 1][room] = most;
        __syncthreads();
    }
    if (room == 255) best[blockIdx.x] = rows[0][255];
}
