/*
[kernel]
title   = "Torsions of a molecule: four atoms of each angle, and forces added to the outer two"

[parameters]
angles = { default = 101376 }

[buffers]
atoms = { type = "f32", length = "65536 * 4", fill = "random", seed = "1618" }
quads = { type = "u32", length = "angles * 4", fill = "random", seed = "1619", below = "65536" }
forces = { type = "f32", length = "65536 * 4", fill = "zero" }

[launch]
arguments = ["atoms", "quads", "forces", "angles"]
grid  = ["angles // 128"]
block = ["128"]
*/
extern "C" __global__ void dihedral_forces(const float4* __restrict__ atoms, const uint4* __restrict__ quads, float* forces, int angles) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= angles) return;
    const uint4 q = quads[i];
    const float4 a = atoms[q.x], b = atoms[q.y], c = atoms[q.z], d = atoms[q.w];
    const float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - b.x, vy = c.y - b.y, vz = c.z - b.z;
    const float wx = d.x - c.x, wy = d.y - c.y, wz = d.z - c.z;
    const float mx = uy * vz - uz * vy, my = uz * vx - ux * vz, mz = ux * vy - uy * vx;
    const float nx = vy * wz - vz * wy, ny = vz * wx - vx * wz, nz = vx * wy - vy * wx;
    const float length = sqrtf(vx * vx + vy * vy + vz * vz) + 1e-6f;
    const float mm = mx * mx + my * my + mz * mz + 1e-6f, nn = nx * nx + ny * ny + nz * nz + 1e-6f;
    const float phi = atan2f(length * (ux * nx + uy * ny + uz * nz), mx * nx + my * ny + mz * nz);
    const float slope = 3.0f * __sinf(3.0f * phi - 0.6f), outer = slope * length / mm, other = -slope * length / nn;
    atomicAdd(&forces[4 * q.x], outer * mx);
    atomicAdd(&forces[4 * q.x + 1], outer * my);
    atomicAdd(&forces[4 * q.x + 2], outer * mz);
    atomicAdd(&forces[4 * q.w], other * nx);
    atomicAdd(&forces[4 * q.w + 1], other * ny);
    atomicAdd(&forces[4 * q.w + 2], other * nz);
}
