/*
[kernel]
title   = "Sums of sines and cosines over points of constant memory's size, one voxel per thread"

[parameters]
voxels = { default = 135168 }
points = { default = 96, macro = true }

[buffers]
kx = { type = "f32", length = "points", fill = "random", seed = "703" }
ky = { type = "f32", length = "points", fill = "random", seed = "704" }
weight = { type = "f32", length = "points", fill = "random", seed = "705" }
x = { type = "f32", length = "voxels", fill = "random", seed = "706" }
y = { type = "f32", length = "voxels", fill = "random", seed = "707" }
real = { type = "f32", length = "voxels", fill = "zero" }
imaginary = { type = "f32", length = "voxels", fill = "zero" }

[launch]
arguments = ["kx", "ky", "weight", "x", "y", "real", "imaginary", "voxels"]
grid  = ["ceil_div(voxels, 256)"]
block = ["256"]
*/
extern "C" __global__ void mri_q(const float* __restrict__ kx, const float* __restrict__ ky, const float* __restrict__ weight,
                                 const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ real,
                                 float* __restrict__ imaginary, int voxels) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= voxels) return;
    const float at_x = x[v], at_y = y[v];
    float sum_real = 0, sum_imaginary = 0;
    for (int k = 0; k < points; ++k) {
        const float angle = 6.2831853f * (kx[k] * at_x + ky[k] * at_y);
        sum_real += weight[k] * __cosf(angle);
        sum_imaginary += weight[k] * __sinf(angle);
    }
    real[v] = sum_real;
    imaginary[v] = sum_imaginary;
}
