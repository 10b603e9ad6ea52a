/*
[kernel]
title   = "Coulomb potential of atoms on a slice of a grid, as in VMD: atoms in constant memory, eight points per thread"

[parameters]
width = { default = 1024 }
height = { default = 264 }
atoms = { default = 400 }

[buffers]
list = { type = "f32", length = "atoms * 4", fill = "random", seed = "722" }
energy = { type = "f32", length = "width * height", fill = "random", seed = "723" }

[launch]
arguments = ["list", "energy", "width", "atoms", "0.1"]
grid  = ["width // 128", "height // 8"]
block = ["16", "8"]
*/
// Atoms come as float4 from global memory with the same address in all lanes: x, y, squared distance in z, charge.
extern "C" __global__ void coulomb_slice(const float4* __restrict__ list, float* energy, int width, int atoms,
                                         float spacing) {
    const int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const float py = spacing * y, px = spacing * x, apart = spacing * 16;
    float sums[8] = {};
    for (int i = 0; i < atoms; ++i) {
        const float4 atom = list[i];
        const float dy = py - atom.y, dyz = dy * dy + atom.z;
        float dx = px - atom.x;
        for (int j = 0; j < 8; ++j) {
            sums[j] += atom.w * rsqrtf(dx * dx + dyz);
            dx += apart;
        }
    }
    for (int j = 0; j < 8; ++j) energy[y * width + x + j * 16] += sums[j];
}
