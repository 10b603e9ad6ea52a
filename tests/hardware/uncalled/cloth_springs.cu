/*
[kernel]
title   = "Cloth: forces of a particle's twelve springs to its neighbours in a sheet, and one step in time; a thread a particle"

[parameters]
width = { default = 528 }
height = { default = 256 }

[buffers]
places = { type = "f32", length = "width * height * 4", fill = "random", seed = "2051" }
speeds = { type = "f32", length = "width * height * 4", fill = "random", seed = "2052" }
new_places = { type = "f32", length = "width * height * 4", fill = "zero" }
new_speeds = { type = "f32", length = "width * height * 4", fill = "zero" }

[launch]
arguments = ["places", "speeds", "new_places", "new_speeds", "width", "height"]
grid  = ["width // 16", "height // 8"]
block = ["16", "8"]
*/
extern "C" __global__ void cloth_springs(const float4* __restrict__ places, const float4* __restrict__ speeds, float4* __restrict__ new_places,
                                         float4* __restrict__ new_speeds, int width, int height) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = y * width + x;
    const int dx[12] = {1, -1, 0, 0, 1, 1, -1, -1, 2, -2, 0, 0}, dy[12] = {0, 0, 1, -1, 1, -1, 1, -1, 0, 0, 2, -2};
    const float4 p = places[i], v = speeds[i];
    float fx = -0.1f * v.x, fy = -9.81f - 0.1f * v.y, fz = -0.1f * v.z;
#pragma unroll
    for (int k = 0; k < 12; ++k) {
        const int nx = x + dx[k], ny = y + dy[k];
        if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
        const float4 q = places[ny * width + nx];
        const float rx = q.x - p.x, ry = q.y - p.y, rz = q.z - p.z;
        const float rest = k < 4 ? 1.0f : k < 8 ? 1.4142135f : 2.0f;
        const float length = sqrtf(rx * rx + ry * ry + rz * rz + 1e-9f), pull = 40.0f * (length - rest) / length;
        fx += pull * rx;
        fy += pull * ry;
        fz += pull * rz;
    }
    const float4 w = make_float4(v.x + 0.01f * fx, v.y + 0.01f * fy, v.z + 0.01f * fz, 0);
    new_speeds[i] = w;
    new_places[i] = make_float4(p.x + 0.01f * w.x, p.y + 0.01f * w.y, p.z + 0.01f * w.z, p.w);
}
