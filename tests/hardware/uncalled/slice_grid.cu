/*
[kernel]
title   = "Slices of a bilateral grid: each pixel's brightness names the layer, eight cells are blended and divided by their weight"

[parameters]
width = { default = 1056 }
height = { default = 512 }

[buffers]
image = { type = "f32", length = "width * height", fill = "random", seed = "2001" }
grid = { type = "f32", length = "67 * 33 * 10 * 2", fill = "random", seed = "2002" }
out = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["image", "grid", "out", "width"]
grid  = ["width // 32", "height // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void slice_grid(const float* __restrict__ image, const float2* __restrict__ grid, float* __restrict__ out, int width) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const float brightness = image[y * width + x];
    const float gx = x * 0.0625f, gy = y * 0.0625f, gz = brightness * 8.0f;
    const int cx = int(gx), cy = int(gy), cz = int(gz);
    const float fx = gx - cx, fy = gy - cy, fz = gz - cz;
    float value = 0, weight = 0;
#pragma unroll
    for (int corner = 0; corner < 8; ++corner) {
        const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
        const float2 cell = grid[((cz + dz) * 33 + cy + dy) * 67 + cx + dx];
        const float part = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * (dz ? fz : 1 - fz);
        value += part * cell.x;
        weight += part * cell.y;
    }
    out[y * width + x] = value / (weight + 1e-6f);
}
