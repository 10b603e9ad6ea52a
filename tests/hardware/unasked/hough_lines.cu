/*
[kernel]
title   = "Votes for lines: pixels of an edge vote for a distance at each of 16 angles, in a table in shared memory"

[parameters]
W = { default = 1024 }
H = { default = 512 }

[buffers]
edges = { type = "u8", length = "W * H", fill = "random", seed = "1021", below = "16" }
votes = { type = "u32", length = "16 * 128", fill = "zero" }

[launch]
arguments = ["edges", "votes", "W", "H"]
grid  = ["132"]
block = ["256"]
*/
extern "C" __global__ void hough_lines(const unsigned char* __restrict__ edges, unsigned* __restrict__ votes, int w,
                                       int h) {
    __shared__ unsigned table[16 * 128];
    for (int i = threadIdx.x; i < 16 * 128; i += blockDim.x) table[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += gridDim.x * blockDim.x) {
        if (edges[i] != 0) continue;
        const int x = i % w, y = i / w;
        for (int angle = 0; angle < 16; ++angle) {
            const float theta = 0.19634954f * angle;
            const float distance = x * __cosf(theta) + y * __sinf(theta);
            atomicAdd(&table[angle * 128 + (int)((distance + 1200.0f) * 0.05f)], 1u);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 16 * 128; i += blockDim.x)
        if (table[i] != 0) atomicAdd(&votes[i], table[i]);
}
