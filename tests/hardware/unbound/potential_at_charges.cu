/*
[kernel]
title   = "Forces of a particle mesh: each charge reads 27 places of the mesh with the weights of quadratic splines"

[parameters]
charges = { default = 101376 }

[buffers]
places = { type = "f32", length = "charges * 4", fill = "random", seed = "1718" }
mesh = { type = "f32", length = "64 * 64 * 64", fill = "random", seed = "1719" }
energies = { type = "f32", length = "charges", fill = "zero" }

[launch]
arguments = ["places", "mesh", "energies", "charges"]
grid  = ["charges // 192"]
block = ["192"]
*/
extern "C" __global__ void potential_at_charges(const float4* __restrict__ places, const float* __restrict__ mesh, float* __restrict__ energies, int charges) {
    const int i = blockIdx.x * 192 + threadIdx.x;
    if (i >= charges) return;
    const float4 p = places[i];
    const float at[3] = {fabsf(p.x) * 63.0f, fabsf(p.y) * 63.0f, fabsf(p.z) * 63.0f};
    int cell[3];
    float w[3][3];
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        cell[d] = int(at[d] + 0.5f);
        const float t = at[d] - cell[d];
        w[d][0] = 0.5f * (0.5f - t) * (0.5f - t);
        w[d][1] = 0.75f - t * t;
        w[d][2] = 0.5f * (0.5f + t) * (0.5f + t);
    }
    float sum = 0;
#pragma unroll
    for (int z = 0; z < 3; ++z)
#pragma unroll
        for (int y = 0; y < 3; ++y)
#pragma unroll
            for (int x = 0; x < 3; ++x)
                sum += w[2][z] * w[1][y] * w[0][x] *
                       mesh[((((cell[2] + z - 1) & 63) * 64 + ((cell[1] + y - 1) & 63)) * 64) + ((cell[0] + x - 1) & 63)];
    energies[i] = p.w * sum;
}
