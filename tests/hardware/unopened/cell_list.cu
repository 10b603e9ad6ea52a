/*
[kernel]
title   = "Forces between particles of neighbouring cells of a grid, cells with different numbers of particles"

[parameters]
cells = { default = 192, macro = true }

[buffers]
held = { type = "i32", length = "cells * cells", fill = "random", seed = "609", below = "5" }
x = { type = "f32", length = "cells * cells * 4", fill = "random", seed = "610" }
y = { type = "f32", length = "cells * cells * 4", fill = "random", seed = "611" }
force = { type = "f32", length = "cells * cells * 4", fill = "zero" }

[launch]
arguments = ["held", "x", "y", "force"]
grid  = ["cells // 8", "cells // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void cell_list(const int* __restrict__ held, const float* __restrict__ x,
                                     const float* __restrict__ y, float* __restrict__ force) {
    const int column = blockIdx.x * 8 + threadIdx.x / 4, row = blockIdx.y * 8 + threadIdx.y;
    const int own = row * cells + column, me = own * 4 + threadIdx.x % 4;
    if (threadIdx.x % 4 >= held[own]) return;
    float sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const int r = row + dy, c = column + dx;
            if (r < 0 || c < 0 || r >= cells || c >= cells) continue;
            const int other = r * cells + c;
            for (int k = 0; k < held[other]; ++k) {
                const float far_x = x[other * 4 + k] - x[me] + dx, far_y = y[other * 4 + k] - y[me] + dy;
                const float square = far_x * far_x + far_y * far_y + 0.01f;
                if (square < 1.0f) sum += far_x / (square * square);
            }
        }
    force[me] = sum;
}
