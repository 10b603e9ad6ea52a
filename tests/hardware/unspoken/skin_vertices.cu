/*
[kernel]
title   = "Vertices of a mesh moved by up to four bones each: matrices of 3 x 4 are gathered and blended"

[parameters]
vertices = { default = 135168 }
bones = { default = 96 }

[buffers]
rest = { type = "f32", length = "vertices * 3", fill = "random", seed = "1221" }
matrices = { type = "f32", length = "bones * 12", fill = "random", seed = "1222" }
indices = { type = "u8", length = "vertices * 4", fill = "random", seed = "1223", below = "96" }
weights = { type = "f32", length = "vertices * 4", fill = "formula", value = "max(0, 1 + (i // 4 * 2654435761 // 65536) % 4 - i % 4) / 8" }
moved = { type = "f32", length = "vertices * 3", fill = "zero" }

[launch]
arguments = ["rest", "matrices", "indices", "weights", "moved", "vertices"]
grid  = ["ceil_div(vertices, 256)"]
block = ["256"]
*/
extern "C" __global__ void skin_vertices(const float* __restrict__ rest, const float4* __restrict__ matrices,
                                         const uchar4* __restrict__ indices, const float4* __restrict__ weights,
                                         float* __restrict__ moved, int vertices) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    const uchar4 bones = indices[v];
    const float4 share = weights[v];
    const int bone[4] = {bones.x, bones.y, bones.z, bones.w};
    const float part[4] = {share.x, share.y, share.z, share.w};
    float4 row[3] = {};
    for (int b = 0; b < 4; ++b) {
        if (part[b] == 0.0f) break;
        for (int r = 0; r < 3; ++r) {
            const float4 its = matrices[bone[b] * 3 + r];
            row[r].x += part[b] * its.x;
            row[r].y += part[b] * its.y;
            row[r].z += part[b] * its.z;
            row[r].w += part[b] * its.w;
        }
    }
    const float x = rest[v * 3], y = rest[v * 3 + 1], z = rest[v * 3 + 2];
    for (int r = 0; r < 3; ++r) moved[v * 3 + r] = row[r].x * x + row[r].y * y + row[r].z * z + row[r].w;
}
