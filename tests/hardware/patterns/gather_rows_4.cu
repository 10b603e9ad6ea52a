/*
[kernel]
title   = "Rows of 1 KiB of 16 MiB at random places, one for each warp, once or more each"

[parameters]


[buffers]
x = { type = "f32", length = "4325376", fill = "random", seed = "3" }
z = { type = "f32", length = "1024", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["2112"]
block = ["256"]
*/
extern "C" __global__ void gather_rows_4(const float4* __restrict__ x, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    const unsigned row = (unsigned(i / 32) * 2654435761u >> 8) % 16896u;
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        const float4 a = x[row * 64 + k * 32 + i % 32];
        sum.x += a.x; sum.y += a.y; sum.z += a.z; sum.w += a.w;
    }
    if (sum.x + sum.y + sum.z + sum.w == 12345.0f) z[i & 255] = sum;
}
