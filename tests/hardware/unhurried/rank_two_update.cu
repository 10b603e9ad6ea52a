/*
[kernel]
title   = "A matrix plus two outer products, four columns a thread, 16 rows a block"

[parameters]
n = { default = 1056 }

[buffers]
a = { type = "f32", length = "n * n", fill = "random", seed = "1801" }
u = { type = "f32", length = "n * 2", fill = "random", seed = "1802" }
v = { type = "f32", length = "n * 2", fill = "random", seed = "1803" }

[launch]
arguments = ["a", "u", "v", "n"]
grid  = ["ceil_div(n, 1024)", "n // 16"]
block = ["256"]
*/
extern "C" __global__ void rank_two_update(float* __restrict__ a, const float* __restrict__ u, const float* __restrict__ v, int n) {
    const int column = (blockIdx.x * 256 + threadIdx.x) * 4;
    if (column >= n) return;
    const float4 v1 = *reinterpret_cast<const float4*>(v + column), v2 = *reinterpret_cast<const float4*>(v + n + column);
#pragma unroll 4
    for (int k = 0; k < 16; ++k) {
        const int row = blockIdx.y * 16 + k;
        const float u1 = u[row], u2 = u[n + row];
        float4* at = reinterpret_cast<float4*>(a + row * n + column);
        float4 x = *at;
        x.x += u1 * v1.x + u2 * v2.x;
        x.y += u1 * v1.y + u2 * v2.y;
        x.z += u1 * v1.z + u2 * v2.z;
        x.w += u1 * v1.w + u2 * v2.w;
        *at = x;
    }
}
