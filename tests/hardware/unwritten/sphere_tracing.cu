/*
[kernel]
title   = "Rays that march through a field of distances: a torus and a plane"

[parameters]
width = { default = 704 }
height = { default = 384 }

[buffers]
depths = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["depths", "width", "height"]
grid  = ["width // 32", "height // 4"]
block = ["32", "4"]
*/
__device__ __forceinline__ float field(float x, float y, float z) {
    const float q = sqrtf(x * x + z * z) - 1.2f;
    return fminf(sqrtf(q * q + y * y) - 0.4f, y + 0.9f);
}
extern "C" __global__ void sphere_tracing(float* __restrict__ depths, int width, int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    const float u = (x - 0.5f * width) / height, v = (0.5f * height - y) / height;
    const float inverse = rsqrtf(u * u + v * v + 1.0f);
    const float dx = u * inverse, dy = v * inverse, dz = inverse;
    float t = 0;
    for (int step = 0; step < 96; ++step) {
        const float d = field(dx * t, 0.6f + dy * t, -4.0f + dz * t);
        t += d;
        if (d < 0.001f || t > 30.0f) break;
    }
    depths[y * width + x] = t;
}
