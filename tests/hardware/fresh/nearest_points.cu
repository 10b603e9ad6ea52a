/*
[kernel]
title   = "The four nearest of many points: points in shared memory, distances kept in order in registers"

[parameters]
queries = { default = 67584 }
points = { default = 1024 }

[buffers]
from = { type = "f32", length = "queries * 2", fill = "random", seed = "309" }
to = { type = "f32", length = "points * 2", fill = "random", seed = "310" }
nearest = { type = "u32", length = "queries * 4", fill = "zero" }

[launch]
arguments = ["from", "to", "nearest", "points"]
grid  = ["queries // 256"]
block = ["256"]
*/
extern "C" __global__ void nearest_points(const float2* __restrict__ from, const float2* __restrict__ to,
                                          uint4* __restrict__ nearest, int points) {
    __shared__ float2 tile[256];
    const int query = blockIdx.x * 256 + threadIdx.x;
    const float2 p = from[query];
    float best[4] = {1e30f, 1e30f, 1e30f, 1e30f};
    unsigned which[4] = {};
    for (int first = 0; first < points; first += 256) {
        tile[threadIdx.x] = to[first + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 256; ++i) {
            const float dx = tile[i].x - p.x, dy = tile[i].y - p.y;
            float distance = dx * dx + dy * dy;
            unsigned index = first + i;
            if (distance < best[3])
                for (int k = 0; k < 4; ++k)
                    if (distance < best[k]) {
                        const float further = best[k];
                        const unsigned other = which[k];
                        best[k] = distance, which[k] = index;
                        distance = further, index = other;
                    }
        }
        __syncthreads();
    }
    nearest[query] = make_uint4(which[0], which[1], which[2], which[3]);
}
