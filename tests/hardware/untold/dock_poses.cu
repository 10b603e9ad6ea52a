/*
[kernel]
title   = "Energies of docked poses: two poses per thread, 26 atoms of a ligand turned and compared with 40 of a protein, with cases by type and distance"

[parameters]
poses = { default = 67584 }

[buffers]
turns = { type = "f32", length = "poses * 6", fill = "random", seed = "1409" }
ligand = { type = "f32", length = "26 * 4", fill = "formula", value = "i % 4 == 3 and random(4) or random(100) / 20", seed = "1410" }
protein = { type = "f32", length = "40 * 4", fill = "formula", value = "i % 4 == 3 and random(4) or random(300) / 20", seed = "1411" }
kinds = { type = "f32", length = "4 * 4", fill = "formula", value = "i % 4 == 0 and 1 + random(3) or random(100) / 50 - 1", seed = "1412" }
energies = { type = "f32", length = "poses", fill = "zero" }

[launch]
arguments = ["turns", "ligand", "protein", "kinds", "energies", "poses"]
grid  = ["poses // 128"]
block = ["64"]
*/
extern "C" __global__ void dock_poses(const float* __restrict__ turns, const float4* __restrict__ ligand,
                                      const float4* __restrict__ protein, const float4* __restrict__ kinds,
                                      float* __restrict__ energies, int poses) {
    __shared__ float4 shared_kinds[4];
    if (threadIdx.x < 4) shared_kinds[threadIdx.x] = kinds[threadIdx.x];
    float m[2][12], energy[2] = {0, 0};
    const int first = blockIdx.x * 128 + threadIdx.x;
#pragma unroll
    for (int p = 0; p < 2; ++p) {
        const int pose = first + p * 64;
        float sx, cx, sy, cy, sz, cz;
        __sincosf(turns[pose], &sx, &cx);
        __sincosf(turns[pose + poses], &sy, &cy);
        __sincosf(turns[pose + 2 * poses], &sz, &cz);
        m[p][0] = cy * cz;
        m[p][1] = sx * sy * cz - cx * sz;
        m[p][2] = cx * sy * cz + sx * sz;
        m[p][3] = turns[pose + 3 * poses] * 10;
        m[p][4] = cy * sz;
        m[p][5] = sx * sy * sz + cx * cz;
        m[p][6] = cx * sy * sz - sx * cz;
        m[p][7] = turns[pose + 4 * poses] * 10;
        m[p][8] = -sy;
        m[p][9] = sx * cy;
        m[p][10] = cx * cy;
        m[p][11] = turns[pose + 5 * poses] * 10;
    }
    __syncthreads();
    for (int l = 0; l < 26; ++l) {
        const float4 atom = ligand[l];
        const float4 own = shared_kinds[int(atom.w)];
        float x[2], y[2], z[2];
#pragma unroll
        for (int p = 0; p < 2; ++p) {
            x[p] = m[p][3] + atom.x * m[p][0] + atom.y * m[p][1] + atom.z * m[p][2];
            y[p] = m[p][7] + atom.x * m[p][4] + atom.y * m[p][5] + atom.z * m[p][6];
            z[p] = m[p][11] + atom.x * m[p][8] + atom.y * m[p][9] + atom.z * m[p][10];
        }
        for (int a = 0; a < 40; ++a) {
            const float4 other = protein[a];
            const float4 kind = shared_kinds[int(other.w)];
            const float radii = own.x + kind.x, repel = own.y * kind.y;
            const bool charged = own.z * kind.z < 0;
#pragma unroll
            for (int p = 0; p < 2; ++p) {
                const float dx = x[p] - other.x, dy = y[p] - other.y, dz = z[p] - other.z;
                const float distance = sqrtf(dx * dx + dy * dy + dz * dz), gap = distance - radii;
                if (gap < 0) energy[p] += (1 - distance / radii) * 38;
                const float near = charged ? (gap < 4 ? 1 - gap * 0.25f : 0.f) : (gap < 2 ? 1 - gap * 0.5f : 0.f);
                energy[p] += (gap < 0 ? 1.f : near) * repel;
            }
        }
    }
    energies[first] = energy[0] * 0.5f;
    energies[first + 64] = energy[1] * 0.5f;
}
