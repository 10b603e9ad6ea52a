/*
[kernel]
title   = "Ambient occlusion on the screen: the depths at twelve places around each pixel, turned by a pixel's own angle"

[parameters]
width = { default = 528 }
height = { default = 256 }

[buffers]
depth = { type = "f32", length = "width * height", fill = "formula", seed = "2701", value = "9 + (i % 528 % 64) * (64 - i % 528 % 64) * 0.001 + (i // 528 % 32) * 0.02 + 0.1 * random()" }
out = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["depth", "out", "width", "height"]
grid  = ["width // 16", "height // 16"]
block = ["16", "16"]
*/
__constant__ const float2 around[12] = {{0.13f, 0.05f}, {-0.2f, 0.1f}, {0.05f, -0.3f}, {-0.3f, -0.25f}, {0.45f, 0.2f}, {-0.1f, 0.55f}, {0.3f, -0.6f}, {-0.7f, 0.15f}, {0.6f, 0.55f}, {-0.5f, -0.7f}, {0.9f, -0.2f}, {-0.3f, 0.95f}};

extern "C" __global__ void ambient_occlusion(const float* __restrict__ depth, float* __restrict__ out, int width, int height) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const float own = depth[y * width + x];
    unsigned hash = (unsigned(x) * 73856093u) ^ (unsigned(y) * 19349663u);
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    const float angle = float(hash >> 8) * 3.7450702e-7f, radius = 120 / own;
    const float c = __cosf(angle) * radius, s = __sinf(angle) * radius;
    float hidden = 0, weight = 0;
#pragma unroll
    for (int k = 0; k < 12; ++k) {
        const int u = min(max(x + __float2int_rn(around[k].x * c - around[k].y * s), 0), width - 1);
        const int v = min(max(y + __float2int_rn(around[k].x * s + around[k].y * c), 0), height - 1);
        const float before = own - depth[v * width + u];
        const float near = 1 / (1 + before * before * 4);
        hidden += before > 0.02f ? near : 0;
        weight += near;
    }
    out[y * width + x] = 1 - hidden / weight;
}
