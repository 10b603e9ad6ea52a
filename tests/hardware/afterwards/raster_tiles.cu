/*
[kernel]
title   = "Triangles over tiles of 16 x 16 pixels: edge functions, barycentric depth, the nearest wins; a tile skips triangles outside it"

[parameters]
width = { default = 512 }
height = { default = 384 }
triangles = { default = 96 }

[buffers]
corners = { type = "f32", length = "9 * triangles", fill = "random", seed = "916" }
nearest = { type = "u32", length = "width * height", fill = "zero" }

[launch]
arguments = ["corners", "nearest", "width", "height", "triangles"]
grid  = ["width // 16", "height // 16"]
block = ["16", "16"]
*/
extern "C" __global__ void raster_tiles(const float* __restrict__ corners, unsigned* __restrict__ nearest, int width, int height, int triangles) {
    const float left = blockIdx.x * 16, top = blockIdx.y * 16;
    const float x = left + threadIdx.x + 0.5f, y = top + threadIdx.y + 0.5f;
    float depth = 1e30f;
    unsigned found = ~0u;
    for (int i = 0; i < triangles; ++i) {
        float px[3], py[3], pz[3];
        for (int k = 0; k < 3; ++k) {
            px[k] = corners[i * 9 + k * 3] * 0.5f * width + 0.5f * width * float(i % 2);
            py[k] = corners[i * 9 + k * 3 + 1] * 0.6f * height + 0.4f * height * float(i / 2 % 2);
            pz[k] = corners[i * 9 + k * 3 + 2];
        }
        if (fminf(px[0], fminf(px[1], px[2])) > left + 16 || fmaxf(px[0], fmaxf(px[1], px[2])) < left ||
            fminf(py[0], fminf(py[1], py[2])) > top + 16 || fmaxf(py[0], fmaxf(py[1], py[2])) < top)
            continue;
        float e[3];
        for (int k = 0; k < 3; ++k) {
            const int next = (k + 1) % 3;
            e[k] = (px[next] - px[k]) * (y - py[k]) - (py[next] - py[k]) * (x - px[k]);
        }
        const float area = e[0] + e[1] + e[2];
        if (!((e[0] >= 0 && e[1] >= 0 && e[2] >= 0) || (e[0] <= 0 && e[1] <= 0 && e[2] <= 0))) continue;
        const float z = (e[1] * pz[0] + e[2] * pz[1] + e[0] * pz[2]) / area;
        if (z < depth) depth = z, found = i;
    }
    nearest[int(y) * width + int(x)] = found;
}
