/*
[kernel]
title   = "Loads of a mesh of tetrahedra: a thread per element gathers four corners and adds a quarter of its volume to each"

[parameters]
elements = { default = 101376 }

[buffers]
corners = { type = "i32", length = "elements * 4", fill = "formula", value = "math.floor(i / 24) % 16896 + random(600)", seed = "1017" }
places = { type = "f32", length = "17536 * 3", fill = "random", seed = "1018" }
loads = { type = "f32", length = "17536", fill = "zero" }

[launch]
arguments = ["corners", "places", "loads"]
grid  = ["elements // 128"]
block = ["128"]
*/
extern "C" __global__ void mesh_assembly(const int4* __restrict__ corners, const float* __restrict__ places, float* loads) {
    const int4 c = corners[blockIdx.x * 128 + threadIdx.x];
    const float* o = places + c.x * 3;
    float e[3][3];
    const int others[3] = {c.y, c.z, c.w};
    for (int k = 0; k < 3; ++k)
        for (int d = 0; d < 3; ++d) e[k][d] = places[others[k] * 3 + d] - o[d];
    const float volume = fabsf(e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                               e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) / 6;
    atomicAdd(loads + c.x, volume / 4);
    atomicAdd(loads + c.y, volume / 4);
    atomicAdd(loads + c.z, volume / 4);
    atomicAdd(loads + c.w, volume / 4);
}
