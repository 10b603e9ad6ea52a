/*
[kernel]
title   = "Potentials of particles in boxes: a block per box of 100, the particles of 27 boxes one after another in shared memory"

[parameters]
side = { default = 6 }

[buffers]
places = { type = "f32", length = "side * side * side * 100 * 4", fill = "random", seed = "1401" }
charges = { type = "f32", length = "side * side * side * 100", fill = "random", seed = "1402" }
forces = { type = "f32", length = "side * side * side * 100 * 4", fill = "zero" }

[launch]
arguments = ["places", "charges", "forces", "side"]
grid  = ["side * side * side"]
block = ["128"]
*/
extern "C" __global__ void box_potential(const float4* __restrict__ places, const float* __restrict__ charges,
                                         float4* __restrict__ forces, int side) {
    __shared__ float4 own[100], theirs[100];
    __shared__ float charge[100];
    const int box = blockIdx.x, x = box % side, y = box / side % side, z = box / (side * side);
    for (int i = threadIdx.x; i < 100; i += 128) own[i] = places[box * 100 + i];
    for (int k = 0; k < 27; ++k) {
        const int nx = x + k % 3 - 1, ny = y + k / 3 % 3 - 1, nz = z + k / 9 - 1;
        if (nx < 0 || ny < 0 || nz < 0 || nx >= side || ny >= side || nz >= side) continue;
        const int other = (nz * side + ny) * side + nx;
        __syncthreads();
        for (int i = threadIdx.x; i < 100; i += 128) {
            theirs[i] = places[other * 100 + i];
            charge[i] = charges[other * 100 + i];
        }
        __syncthreads();
        for (int i = threadIdx.x; i < 100; i += 128) {
            float4 sum = {0, 0, 0, 0};
            const float4 a = own[i];
            for (int j = 0; j < 100; ++j) {
                const float4 b = theirs[j];
                const float r2 = a.w + b.w - (a.x * b.x + a.y * b.y + a.z * b.z);
                const float v = expf(-0.5f * r2), s = 2 * v * charge[j];
                sum.x += s * (a.x - b.x);
                sum.y += s * (a.y - b.y);
                sum.z += s * (a.z - b.z);
                sum.w += charge[j] * v;
            }
            float4& out = forces[box * 100 + i];
            out = {out.x + sum.x, out.y + sum.y, out.z + sum.z, out.w + sum.w};
        }
    }
}
