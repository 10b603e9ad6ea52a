/*
[kernel]
title   = "Rays of a camera against spheres in shared memory, the nearest one shaded"

[parameters]
W = { default = 1024 }
H = { default = 528 }
count = { default = 64, macro = true }

[buffers]
spheres = { type = "f32", length = "count * 4", fill = "random", seed = "311" }
image = { type = "f32", length = "W * H", fill = "zero" }

[launch]
arguments = ["spheres", "image", "W", "H"]
grid  = ["W // 16", "H // 16"]
block = ["16", "16"]
*/
extern "C" __global__ void ray_spheres(const float4* __restrict__ spheres, float* __restrict__ image, int W, int H) {
    __shared__ float4 all[count];
    const int thread = threadIdx.y * 16 + threadIdx.x;
    if (thread < count) all[thread] = spheres[thread];
    __syncthreads();
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float dx = (x + 0.5f) / W - 0.5f, dy = (y + 0.5f) / H - 0.5f, dz = 1;
    const float length = rsqrtf(dx * dx + dy * dy + dz * dz);
    dx *= length, dy *= length, dz *= length;
    float nearest = 1e30f, shade = 0;
    for (int i = 0; i < count; ++i) {
        const float4 s = all[i];
        const float cx = s.x - 0.5f, cy = s.y - 0.5f, cz = s.z + 1, r = s.w * 0.1f;
        const float along = cx * dx + cy * dy + cz * dz;
        const float apart = cx * cx + cy * cy + cz * cz - along * along;
        if (apart < r * r) {
            const float t = along - sqrtf(r * r - apart);
            if (t < nearest) nearest = t, shade = (cz - t * dz) / r;
        }
    }
    image[y * W + x] = shade;
}
