/*
[kernel]
title   = "Fluxes of the Euler equations on an unstructured mesh: each cell gathers five variables of its four neighbours"

[parameters]
cells = { default = 67584 }

[buffers]
neighbours = { type = "i32", length = "cells * 4", fill = "formula", value = "(i % 67584 + random(4096)) % 67584", seed = "1105" }
normals = { type = "f32", length = "cells * 12", fill = "random", seed = "1106" }
variables = { type = "f32", length = "cells * 5", fill = "formula", value = "1 + random(1000) / 1000", seed = "1107" }
fluxes = { type = "f32", length = "cells * 5", fill = "zero" }

[launch]
arguments = ["neighbours", "normals", "variables", "fluxes", "cells"]
grid  = ["cells // 192"]
block = ["192"]
*/
struct State {
    float density, x, y, z, energy;
};
__device__ State state_of(const float* __restrict__ variables, int cell, int cells) {
    return {variables[cell], variables[cell + cells], variables[cell + 2 * cells], variables[cell + 3 * cells],
            variables[cell + 4 * cells]};
}
extern "C" __global__ void euler_flux(const int* __restrict__ neighbours, const float* __restrict__ normals,
                                      const float* __restrict__ variables, float* __restrict__ fluxes, int cells) {
    const int i = blockIdx.x * 192 + threadIdx.x;
    const State own = state_of(variables, i, cells);
    const float own_pressure = 0.4f * (own.energy - 0.5f * (own.x * own.x + own.y * own.y + own.z * own.z) / own.density);
    State sum = {0, 0, 0, 0, 0};
    for (int k = 0; k < 4; ++k) {
        const State other = state_of(variables, neighbours[i + k * cells], cells);
        const float nx = normals[i + (k * 3) * cells], ny = normals[i + (k * 3 + 1) * cells], nz = normals[i + (k * 3 + 2) * cells];
        const float area = sqrtf(nx * nx + ny * ny + nz * nz), inverse = 1 / other.density;
        const float square = (other.x * other.x + other.y * other.y + other.z * other.z) * inverse * inverse;
        const float pressure = 0.4f * (other.energy - 0.5f * other.density * square);
        const float sound = sqrtf(1.4f * fabsf(pressure) * inverse);
        const float factor = -area * 0.1f * (sqrtf(square) + sound);
        const float through = 0.5f * ((own.x + other.x) * nx + (own.y + other.y) * ny + (own.z + other.z) * nz);
        sum.density += factor * (own.density - other.density) + through;
        sum.energy += factor * (own.energy - other.energy) + through * (other.energy + pressure) * inverse;
        sum.x += factor * (own.x - other.x) + through * other.x * inverse + 0.5f * nx * (pressure + own_pressure);
        sum.y += factor * (own.y - other.y) + through * other.y * inverse + 0.5f * ny * (pressure + own_pressure);
        sum.z += factor * (own.z - other.z) + through * other.z * inverse + 0.5f * nz * (pressure + own_pressure);
    }
    fluxes[i] = sum.density;
    fluxes[i + cells] = sum.x;
    fluxes[i + 2 * cells] = sum.y;
    fluxes[i + 3 * cells] = sum.z;
    fluxes[i + 4 * cells] = sum.energy;
}
