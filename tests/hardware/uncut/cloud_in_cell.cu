/*
[kernel]
title   = "Charge of particles deposited in the four nearest cells of a plane"

[parameters]
particles = { default = 270336 }
side = { default = 1024 }

[buffers]
x = { type = "f32", length = "particles", fill = "random", seed = "861" }
y = { type = "f32", length = "particles", fill = "random", seed = "862" }
charge = { type = "u32", length = "side * side", fill = "zero" }

[launch]
arguments = ["x", "y", "charge", "particles", "side"]
grid  = ["ceil_div(particles, 256)"]
block = ["256"]
*/
extern "C" __global__ void cloud_in_cell(const float* __restrict__ x, const float* __restrict__ y,
                                         unsigned* __restrict__ charge, int particles, int side) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= particles) return;
    const float px = x[i] * side, py = y[i] * side;
    const int cx = (int)px, cy = (int)py;
    const unsigned fx = (unsigned)((px - cx) * 256.0f), fy = (unsigned)((py - cy) * 256.0f);
    const int right = cx + 1 < side ? cx + 1 : 0, below = cy + 1 < side ? cy + 1 : 0;
    atomicAdd(&charge[cy * side + cx], (256 - fx) * (256 - fy));
    atomicAdd(&charge[cy * side + right], fx * (256 - fy));
    atomicAdd(&charge[below * side + cx], (256 - fx) * fy);
    atomicAdd(&charge[below * side + right], fx * fy);
}
