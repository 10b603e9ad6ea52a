/*
[kernel]
title   = "A displacement by cubic B-splines: each voxel blends the 64 control points around it, four of which follow each other in a row"

[parameters]
side = { default = 64 }

[buffers]
control = { type = "f32", length = "20 * 20 * 20", fill = "random", seed = "2221" }
out = { type = "f32", length = "side * side * side", fill = "zero" }

[launch]
arguments = ["control", "out", "side"]
grid  = ["side // 32", "side // 4", "side // 2"]
block = ["32", "4", "2"]
*/
__device__ __forceinline__ void spline(float t, float (&w)[4]) {
    const float s = 1 - t;
    w[0] = s * s * s * (1.0f / 6);
    w[1] = (4 + t * t * (3 * t - 6)) * (1.0f / 6);
    w[2] = (4 + s * s * (3 * s - 6)) * (1.0f / 6);
    w[3] = t * t * t * (1.0f / 6);
}
extern "C" __global__ void bspline_volume(const float* __restrict__ control, float* __restrict__ out, int side) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 2 + threadIdx.z;
    float wx[4], wy[4], wz[4];
    spline((x & 3) * 0.25f, wx);
    spline((y & 3) * 0.25f, wy);
    spline((z & 3) * 0.25f, wz);
    const float* from = control + ((z >> 2) * 20 + (y >> 2)) * 20 + (x >> 2);
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float plane = 0;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const float* row = from + (k * 20 + j) * 20;
            plane += wy[j] * (wx[0] * row[0] + wx[1] * row[1] + wx[2] * row[2] + wx[3] * row[3]);
        }
        sum += wz[k] * plane;
    }
    out[(z * side + y) * side + x] = sum;
}
