/*
[kernel]
title   = "Two MiB read sixteen times by all SMs together"

[parameters]


[buffers]
x = { type = "f32", length = "524288", fill = "random", seed = "3" }
z = { type = "f32", length = "1024", fill = "zero" }

[launch]
arguments = ["x", "z"]
grid  = ["1056"]
block = ["256"]
*/
extern "C" __global__ void l2_read_4(const float4* __restrict__ x, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
    for (int k = 0; k < 16; ++k) {
        const float4 a = __ldcg(x + (i + k * 25871) % 131072);
        sum.x += a.x; sum.y += a.y; sum.z += a.z; sum.w += a.w;
    }
    if (sum.x + sum.y + sum.z + sum.w == 12345.0f) z[i & 255] = sum;
}
