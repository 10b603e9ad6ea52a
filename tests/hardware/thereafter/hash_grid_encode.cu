/*
[kernel]
title   = "One level of a multiresolution hash encoding: a thread per point interpolates eight entries of two halves from a hashed table"

[parameters]
points = { default = 135168 }

[buffers]
places = { type = "f32", length = "points * 3", fill = "random", seed = "1101" }
table = { type = "f16", length = "524288 * 2", fill = "constant", value = "0.25" }
features = { type = "f16", length = "points * 2", fill = "zero" }

[launch]
arguments = ["places", "table", "features", "points", "f32=128.0"]
grid  = ["points // 256"]
block = ["256"]
*/
#include <cuda_fp16.h>
extern "C" __global__ void hash_grid_encode(const float* __restrict__ places, const __half2* __restrict__ table,
                                            __half2* __restrict__ features, int points, float scale) {
    const unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i >= points) return;
    float part[3];
    unsigned cell[3];
    for (int d = 0; d < 3; ++d) {
        const float place = fmaf(places[i * 3 + d], scale, 0.5f), whole = floorf(place);
        cell[d] = unsigned(int(whole));
        part[d] = place - whole;
    }
    float2 sum = {0, 0};
    for (int corner = 0; corner < 8; ++corner) {
        float weight = 1;
        unsigned at[3];
        for (int d = 0; d < 3; ++d) {
            const bool next = corner >> d & 1;
            weight *= next ? part[d] : 1 - part[d];
            at[d] = cell[d] + next;
        }
        const unsigned hash = (at[0] ^ at[1] * 2654435761u ^ at[2] * 805459861u) & 524287;
        const float2 entry = __half22float2(table[hash]);
        sum.x += weight * entry.x;
        sum.y += weight * entry.y;
    }
    features[i] = __floats2half2_rn(sum.x, sum.y);
}
