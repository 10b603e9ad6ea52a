/*
[kernel]
title   = "Rays through spheres and a plane: steps as long as the distance to the nearest surface, until one is hit or left"

[parameters]
W = { default = 640 }
H = { default = 400 }

[buffers]
spheres = { type = "f32", length = "6 * 4", fill = "random", seed = "1001" }
depth = { type = "f32", length = "W * H", fill = "zero" }

[launch]
arguments = ["spheres", "depth", "W", "H"]
grid  = ["ceil_div(W, 32)", "ceil_div(H, 8)"]
block = ["32", "8"]
*/
extern "C" __global__ void ray_march(const float* __restrict__ spheres, float* __restrict__ depth, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const float u = (2.0f * x - w) / h, v = (2.0f * y - h) / h;
    const float scale = rsqrtf(u * u + v * v + 2.25f);
    const float dx = u * scale, dy = v * scale, dz = 1.5f * scale;
    float t = 0.0f;
    for (int step = 0; step < 64 && t < 20.0f; ++step) {
        const float px = t * dx, py = t * dy, pz = t * dz - 3.0f;
        float nearest = py + 1.0f;
        for (int s = 0; s < 6; ++s) {
            const float qx = px - 4.0f * spheres[4 * s] + 2.0f, qy = py - spheres[4 * s + 1] + 0.5f;
            const float qz = pz - 3.0f * spheres[4 * s + 2];
            nearest = fminf(nearest, sqrtf(qx * qx + qy * qy + qz * qz) - 0.2f - 0.5f * spheres[4 * s + 3]);
        }
        if (nearest < 0.001f) break;
        t += nearest;
    }
    depth[y * w + x] = t;
}
