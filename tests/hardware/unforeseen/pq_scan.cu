/*
[kernel]
title   = "Distances of coded vectors to queries: 16 bytes a vector name entries of a table of 16 x 256 numbers in shared memory, the least of each block"

[parameters]
vectors = { default = 65536 }
queries = { default = 8 }

[buffers]
codes = { type = "u32", length = "vectors * 4", fill = "random", seed = "1515", below = "4294967295" }
tables = { type = "f32", length = "queries * 4096", fill = "random", seed = "1516" }
least = { type = "f32", length = "queries * (vectors // 1024)", fill = "zero" }

[launch]
arguments = ["codes", "tables", "least"]
grid  = ["vectors // 1024", "queries"]
block = ["256"]
*/
extern "C" __global__ void pq_scan(const uint4* __restrict__ codes, const float* __restrict__ tables, float* __restrict__ least) {
    __shared__ float table[4096];
    __shared__ float best_of[8];
    for (int i = threadIdx.x; i < 4096; i += 256) table[i] = tables[blockIdx.y * 4096 + i];
    __syncthreads();
    float best = 3.0e38f;
    for (int i = 0; i < 4; ++i) {
        const uint4 code = codes[blockIdx.x * 1024 + i * 256 + threadIdx.x];
        const unsigned parts[4] = {code.x, code.y, code.z, code.w};
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 16; ++k) sum += table[k * 256 + (parts[k / 4] >> (8 * (k % 4)) & 255)];
        best = fminf(best, sum);
    }
    for (int d = 16; d > 0; d /= 2) best = fminf(best, __shfl_xor_sync(0xffffffffu, best, d));
    if (threadIdx.x % 32 == 0) best_of[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 8; ++i) best = fminf(best, best_of[i]);
        least[blockIdx.y * gridDim.x + blockIdx.x] = best;
    }
}
