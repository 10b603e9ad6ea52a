/*
[kernel]
title   = "Likelihoods of a node of a phylogenetic tree: four states of each site from those of two children, matrices of four rates in shared memory"

[parameters]
sites = { default = 16896 }

[buffers]
left = { type = "f32", length = "sites * 16", fill = "random", seed = "2661" }
right = { type = "f32", length = "sites * 16", fill = "random", seed = "2662" }
matrices = { type = "f32", length = "128", fill = "random", seed = "2663" }
out = { type = "f32", length = "sites * 16", fill = "zero" }

[launch]
arguments = ["left", "right", "matrices", "out", "sites"]
grid  = ["sites // 64", "4"]
block = ["4", "64"]
*/
extern "C" __global__ void tree_likelihood(const float* __restrict__ left, const float* __restrict__ right, const float* __restrict__ matrices, float* __restrict__ out, int sites) {
    __shared__ float one[16], other[16], below[2][256];
    const int thread = threadIdx.y * 4 + threadIdx.x, rate = blockIdx.y;
    const int at = (rate * sites + blockIdx.x * 64) * 4 + thread;
    below[0][thread] = left[at];
    below[1][thread] = right[at];
    if (thread < 16) one[thread] = matrices[rate * 16 + thread];
    else if (thread < 32) other[thread - 16] = matrices[64 + rate * 16 + thread - 16];
    __syncthreads();
    float first = 0, second = 0;
#pragma unroll
    for (int state = 0; state < 4; ++state) {
        first = fmaf(one[state * 4 + threadIdx.x], below[0][threadIdx.y * 4 + state], first);
        second = fmaf(other[state * 4 + threadIdx.x], below[1][threadIdx.y * 4 + state], second);
    }
    out[at] = first * second;
}
