/*
[kernel]
title   = "Electric fields of a cavity by finite differences in time: three components from the magnetic ones of four neighbours"

[parameters]
depth = { default = 40 }

[buffers]
hx = { type = "f32", length = "depth * 16384", fill = "random", seed = "1710" }
hy = { type = "f32", length = "depth * 16384", fill = "random", seed = "1711" }
hz = { type = "f32", length = "depth * 16384", fill = "random", seed = "1712" }
ex = { type = "f32", length = "depth * 16384", fill = "random", seed = "1713" }
ey = { type = "f32", length = "depth * 16384", fill = "random", seed = "1714" }
ez = { type = "f32", length = "depth * 16384", fill = "random", seed = "1715" }

[launch]
arguments = ["hx", "hy", "hz", "ex", "ey", "ez", "depth"]
grid  = ["4", "32", "depth"]
block = ["32", "4"]
*/
extern "C" __global__ void yee_fields(const float* __restrict__ hx, const float* __restrict__ hy, const float* __restrict__ hz, float* __restrict__ ex,
                                      float* __restrict__ ey, float* __restrict__ ez, int depth) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z;
    if (x == 0 || y == 0 || z == 0) return;
    const int at = (z * 128 + y) * 128 + x;
    const float a = hx[at], b = hy[at], c = hz[at];
    ex[at] += 0.3f * (c - hz[at - 128] - b + hy[at - 16384]);
    ey[at] += 0.3f * (a - hx[at - 16384] - c + hz[at - 1]);
    ez[at] += 0.3f * (b - hy[at - 1] - a + hx[at - 128]);
}
