/*
[kernel]
title   = "Random points in a circle, counted by ballots and one atomic per block"

[parameters]
blocks = { default = 528 }
rounds = { default = 128 }

[buffers]
count = { type = "u32", length = "1", fill = "zero" }

[launch]
arguments = ["count", "rounds"]
grid  = ["blocks"]
block = ["128"]
*/
extern "C" __global__ void monte_carlo_circle(unsigned* count, int rounds) {
    __shared__ unsigned total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 2891336453u, inside = 0;
    for (int i = 0; i < rounds; ++i) {
        state = state * 1664525u + 1013904223u;
        const float x = (state >> 8) * 5.9604645e-8f;
        state = state * 1664525u + 1013904223u;
        const float y = (state >> 8) * 5.9604645e-8f;
        inside += __popc(__ballot_sync(0xffffffffu, x * x + y * y < 1.0f));
    }
    if (threadIdx.x % 32 == 0) atomicAdd(&total, inside);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(count, total);
}
