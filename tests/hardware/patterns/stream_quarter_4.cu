/*
[kernel]
title   = "reads two streams, every fourth block writes"

[parameters]


[buffers]
x = { type = "f32", length = "4325376", fill = "random", seed = "3" }
y = { type = "f32", length = "4325376", fill = "random", seed = "3" }
z = { type = "f32", length = "4325376", fill = "zero" }

[launch]
arguments = ["x", "y", "z"]
grid  = ["4224"]
block = ["256"]
*/
extern "C" __global__ void stream_quarter_4(const float4* __restrict__ x, const float4* __restrict__ y, float4* __restrict__ z) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float4 a = x[i]; const float4 b = y[i]; a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; if (blockIdx.x % 4 == 0 || a.x == 12345.0f) z[i] = a;
}
