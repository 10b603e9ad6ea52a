/*
[kernel]
title   = "Lennard-Jones forces from neighbour lists stored by columns: each atom gathers four floats of each of 48 neighbours"

[parameters]
atoms = { default = 33792 }

[buffers]
places = { type = "f32", length = "atoms * 4", fill = "random", seed = "1108" }
neighbours = { type = "i32", length = "atoms * 48", fill = "formula", value = "(i % 33792 + random(1500)) % 33792", seed = "1109" }
forces = { type = "f32", length = "atoms * 4", fill = "zero" }

[launch]
arguments = ["places", "neighbours", "forces", "atoms"]
grid  = ["atoms // 256"]
block = ["256"]
*/
extern "C" __global__ void neighbour_forces(const float4* __restrict__ places, const int* __restrict__ neighbours,
                                            float4* __restrict__ forces, int atoms) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4 own = places[i];
    float x = 0, y = 0, z = 0;
    for (int k = 0; k < 48; ++k) {
        const float4 other = places[neighbours[k * atoms + i]];
        const float dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
        const float square = dx * dx + dy * dy + dz * dz;
        if (square < 0.5f) {
            const float inverse = 1 / (square + 0.01f), sixth = inverse * inverse * inverse;
            const float force = inverse * sixth * (1.5f * sixth - 2.0f);
            x += dx * force;
            y += dy * force;
            z += dz * force;
        }
    }
    forces[i] = make_float4(x, y, z, 0);
}
