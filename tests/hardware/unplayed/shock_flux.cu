/*
[kernel]
title   = "One step of a shock tube: limited slopes of density, momentum and energy give the flux through each face"

[parameters]
cells = { default = 262147 }

[buffers]
density = { type = "f32", length = "cells", fill = "formula", value = "1 + i % 7" }
momentum = { type = "f32", length = "cells", fill = "random", seed = "1551" }
energy = { type = "f32", length = "cells", fill = "formula", value = "20 + i % 5" }
flux = { type = "f32", length = "cells * 3", fill = "zero" }

[launch]
arguments = ["density", "momentum", "energy", "flux", "cells"]
grid  = ["ceil_div(cells, 128)"]
block = ["128"]
*/
__device__ float limited(float a, float b) {
    if (a * b <= 0) return 0;
    return fabsf(a) < fabsf(b) ? a : b;
}
extern "C" __global__ void shock_flux(const float* __restrict__ density, const float* __restrict__ momentum,
                                      const float* __restrict__ energy, float* __restrict__ flux, int cells) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i >= cells - 2) return;
    const float* fields[3] = {density, momentum, energy};
    float left[3], right[3];
    for (int k = 0; k < 3; ++k) {
        const float a = fields[k][i - 1], b = fields[k][i], c = fields[k][i + 1], d = fields[k][i + 2];
        left[k] = b + 0.5f * limited(b - a, c - b);
        right[k] = c - 0.5f * limited(c - b, d - c);
    }
    float total[3] = {0, 0, 0}, speed = 0;
    for (int side = 0; side < 2; ++side) {
        const float* at = side ? right : left;
        const float u = at[1] / at[0], pressure = 0.4f * (at[2] - 0.5f * at[1] * u);
        total[0] += 0.5f * at[1];
        total[1] += 0.5f * (at[1] * u + pressure);
        total[2] += 0.5f * (at[2] + pressure) * u;
        speed = fmaxf(speed, fabsf(u) + sqrtf(1.4f * fmaxf(pressure, 0.0f) / at[0]));
    }
    for (int k = 0; k < 3; ++k) flux[3 * i + k] = total[k] - 0.5f * speed * (right[k] - left[k]);
}
