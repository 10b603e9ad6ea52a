/*
[kernel]
title   = "Samples of a magnetic resonance image on 132 spokes, each added to the sixteen cells around it with a window's weights"

[parameters]
samples = { default = 67584 }
edge = { default = 512 }

[buffers]
places = { type = "f32", length = "samples * 2", fill = "formula", value = "256 + (i // 2 % 512 - 255.5) * 0.48 * (i % 2 * 2 * (i // 1024 / 66 - 1) + (1 - i % 2) * (1 - (i // 1024 / 66 - 1) * (i // 1024 / 66 - 1))) / (1 + (i // 1024 / 66 - 1) * (i // 1024 / 66 - 1))" }
signal = { type = "f32", length = "samples * 2", fill = "random", seed = "2612" }
grid_cells = { type = "f32", length = "edge * edge * 2", fill = "zero" }

[launch]
arguments = ["places", "signal", "grid_cells", "edge"]
grid  = ["samples // 256"]
block = ["256"]
*/
extern "C" __global__ void kspace_gridding(const float2* __restrict__ places, const float2* __restrict__ signal, float* __restrict__ grid_cells, int edge) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float2 at = places[i], value = signal[i];
    const int left = __float2int_rd(at.x) - 1, top = __float2int_rd(at.y) - 1;
    float across[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const float away = at.x - float(left + k), inside = 1 - away * away * 0.25f;
        across[k] = inside > 0 ? __expf(2.34f * sqrtf(inside)) : 0;
    }
#pragma unroll
    for (int row = 0; row < 4; ++row) {
        const float away = at.y - float(top + row), inside = 1 - away * away * 0.25f;
        const float down = inside > 0 ? __expf(2.34f * sqrtf(inside)) : 0;
#pragma unroll
        for (int column = 0; column < 4; ++column) {
            const float weight = down * across[column];
            if (weight == 0) continue;
            float* const cell = grid_cells + 2 * ((top + row) * edge + left + column);
            atomicAdd(cell, weight * value.x);
            atomicAdd(cell + 1, weight * value.y);
        }
    }
}
