/*
[kernel]
title   = "Marching cubes, first step: the case of each cell and its number of triangles, from a table"

[parameters]
W = { default = 128 }
H = { default = 128 }
D = { default = 64 }
level = { default = 0.5, type = "f32" }

[buffers]
field = { type = "f32", length = "(W + 1) * (H + 1) * (D + 1)", fill = "random", seed = "307" }
table = { type = "u8", length = "256", fill = "random", below = "6", seed = "308" }
triangles = { type = "u32", length = "W * H * D", fill = "zero" }
used = { type = "u32", length = "W * H * D", fill = "zero" }

[launch]
arguments = ["field", "table", "triangles", "used", "W", "H", "level"]
grid  = ["W // 32", "H // 4", "D"]
block = ["32", "4"]
*/
extern "C" __global__ void cell_classes(const float* __restrict__ field, const unsigned char* __restrict__ table,
                                        unsigned* __restrict__ triangles, unsigned* __restrict__ used, int W, int H,
                                        float level) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z;
    unsigned which = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const int i = x + (corner & 1), j = y + (corner >> 1 & 1), k = z + (corner >> 2);
        which |= unsigned(field[(k * (H + 1) + j) * (W + 1) + i] < level) << corner;
    }
    const unsigned count = table[which];
    const int cell = (z * H + y) * W + x;
    triangles[cell] = count;
    used[cell] = count > 0;
}
