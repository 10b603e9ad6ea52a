/*
[kernel]
title   = "Forces from a tree in order of depth: one thread per body, which goes into a far node or skips it"

[parameters]
bodies = { default = 135168 }
nodes = { default = 512 }

[buffers]
tree = { type = "f32", length = "nodes * 4", fill = "random", seed = "1011" }
spans = { type = "u8", length = "nodes", fill = "random", seed = "1012", below = "12" }
positions = { type = "f32", length = "bodies * 2", fill = "random", seed = "1013" }
forces = { type = "f32", length = "bodies * 2", fill = "zero" }

[launch]
arguments = ["tree", "spans", "positions", "forces", "nodes", "bodies"]
grid  = ["ceil_div(bodies, 128)"]
block = ["128"]
*/
extern "C" __global__ void rope_walk(const float4* __restrict__ tree, const unsigned char* __restrict__ spans,
                                     const float2* __restrict__ positions, float2* __restrict__ forces, int nodes,
                                     int bodies) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= bodies) return;
    const float2 at = positions[i];
    float fx = 0.0f, fy = 0.0f;
    int node = 0;
    while (node < nodes) {
        const float4 here = tree[node];
        const float dx = here.x - at.x, dy = here.y - at.y;
        const float square = dx * dx + dy * dy + 0.01f;
        const int span = spans[node];
        if (span == 0 || here.w * here.w < square) {
            const float inverse = rsqrtf(square);
            const float pull = here.z * inverse * inverse * inverse;
            fx += pull * dx;
            fy += pull * dy;
            node += 1 + span;
        } else {
            ++node;
        }
    }
    forces[i] = make_float2(fx, fy);
}
