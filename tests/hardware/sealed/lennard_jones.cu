/*
[kernel]
title   = "Forces between particles within a cutoff, from a list of 48 neighbours per particle"

[parameters]
particles = { default = 67584 }
neighbours = { default = 48, macro = true }

[buffers]
places = { type = "f32", length = "particles * 4", fill = "random", seed = "505" }
list = { type = "u32", length = "particles * neighbours", fill = "random", seed = "506", below = "67584" }
forces = { type = "f32", length = "particles * 4", fill = "zero" }

[launch]
arguments = ["places", "list", "forces", "particles"]
grid  = ["particles // 128"]
block = ["128"]
*/
extern "C" __global__ void lennard_jones(const float4* __restrict__ places, const unsigned* __restrict__ list,
                                         float4* __restrict__ forces, int particles) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float4 own = places[i];
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < neighbours; ++j) {
        const float4 other = places[list[j * particles + i]];
        const float dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
        const float squared = dx * dx + dy * dy + dz * dz;
        if (squared < 0.25f && squared > 0) {
            const float inverse = 0.01f / squared, sixth = inverse * inverse * inverse;
            const float force = sixth * (sixth - 0.5f) * inverse;
            fx += dx * force, fy += dy * force, fz += dz * force;
        }
    }
    forces[i] = make_float4(fx, fy, fz, 0);
}
