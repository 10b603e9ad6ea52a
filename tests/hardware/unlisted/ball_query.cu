/*
[kernel]
title   = "Ball query of a point cloud: each centre takes the first 16 points within its radius, and repeats the first one where there are fewer"

[parameters]
points = { default = 512 }
centres = { default = 8448 }

[buffers]
cloud = { type = "f32", length = "points * 3", fill = "random", seed = "1431" }
queries = { type = "f32", length = "centres * 3", fill = "random", seed = "1432" }
chosen = { type = "u32", length = "centres * 16", fill = "zero" }

[launch]
arguments = ["cloud", "queries", "chosen", "points", "centres"]
grid  = ["ceil_div(centres, 64)"]
block = ["64"]
*/
extern "C" __global__ void ball_query(const float* __restrict__ cloud, const float* __restrict__ queries,
                                      unsigned* __restrict__ chosen, int points, int centres) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= centres) return;
    const float x = queries[3 * c], y = queries[3 * c + 1], z = queries[3 * c + 2];
    unsigned* mine = chosen + 16 * c;
    int count = 0;
    for (int p = 0; p < points && count < 16; ++p) {
        const float dx = cloud[3 * p] - x, dy = cloud[3 * p + 1] - y, dz = cloud[3 * p + 2] - z;
        if (dx * dx + dy * dy + dz * dz < 0.2f) {
            if (count == 0)
                for (int k = 1; k < 16; ++k) mine[k] = p;
            mine[count++] = p;
        }
    }
}
