/*
[kernel]
title   = "A step of the shallow-water equations after Lax and Friedrichs: height and two momenta, a thread per cell"

[parameters]
edge = { default = 1024 }

[buffers]
h = { type = "f32", length = "edge * edge", fill = "formula", value = "1 + random(100) / 1000", seed = "1302" }
hu = { type = "f32", length = "edge * edge", fill = "random", seed = "1303" }
hv = { type = "f32", length = "edge * edge", fill = "random", seed = "1304" }
new_h = { type = "f32", length = "edge * edge", fill = "zero" }
new_hu = { type = "f32", length = "edge * edge", fill = "zero" }
new_hv = { type = "f32", length = "edge * edge", fill = "zero" }

[launch]
arguments = ["h", "hu", "hv", "new_h", "new_hu", "new_hv", "edge", "f32=0.01"]
grid  = ["edge // 64", "edge // 4"]
block = ["64", "4"]
*/
extern "C" __global__ void shallow_water(const float* __restrict__ h, const float* __restrict__ hu, const float* __restrict__ hv,
                                         float* __restrict__ new_h, float* __restrict__ new_hu, float* __restrict__ new_hv,
                                         int edge, float ratio) {
    const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x == 0 || y == 0 || x == edge - 1 || y == edge - 1) return;
    const int c = y * edge + x, w = c - 1, e = c + 1, n = c - edge, s = c + edge;
    const float g = 9.81f;
    const float uw = hu[w] / h[w], ue = hu[e] / h[e], vn = hv[n] / h[n], vs = hv[s] / h[s];
    new_h[c] = (h[w] + h[e] + h[n] + h[s]) / 4 - ratio * (hu[e] - hu[w] + hv[s] - hv[n]) / 2;
    new_hu[c] = (hu[w] + hu[e] + hu[n] + hu[s]) / 4 -
                ratio * (hu[e] * ue + g * h[e] * h[e] / 2 - hu[w] * uw - g * h[w] * h[w] / 2 + hu[s] * vs - hu[n] * vn) / 2;
    new_hv[c] = (hv[w] + hv[e] + hv[n] + hv[s]) / 4 -
                ratio * (hv[e] * ue - hv[w] * uw + hv[s] * vs + g * h[s] * h[s] / 2 - hv[n] * vn - g * h[n] * h[n] / 2) / 2;
}
