/*
[kernel]
title   = "Lines of an image: each edge pixel votes for the distance of its line at 90 angles, an angle for each block, votes in shared memory"

[parameters]
edges = { default = 24576 }

[buffers]
points = { type = "u32", length = "edges", fill = "random", seed = "1705", below = "1048576" }
votes = { type = "u32", length = "132 * 1536", fill = "zero" }

[launch]
arguments = ["points", "votes", "edges"]
grid  = ["132"]
block = ["512"]
*/
extern "C" __global__ void hough_votes(const unsigned* __restrict__ points, unsigned* __restrict__ votes, int edges) {
    __shared__ unsigned own[1536];
    const float angle = blockIdx.x * 0.0238f, c = __cosf(angle), s = __sinf(angle);
    for (int i = threadIdx.x; i < 1536; i += 512) own[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < edges; i += 512) {
        const unsigned p = points[i];
        const float at = (p & 1023u) * c + (p >> 10) * s;
        atomicAdd(&own[min(max(int(at * 0.5f) + 512, 0), 1535)], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1536; i += 512) votes[blockIdx.x * 1536 + i] = own[i];
}
