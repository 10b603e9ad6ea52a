/*
[kernel]
title   = "Points on Bezier curves of degree 7, by de Casteljau's construction: one point a thread"

[parameters]
points = { default = 270123 }

[buffers]
control = { type = "f32", length = "ceil_div(points, 64) * 16", fill = "random", seed = "1501" }
curve = { type = "f32", length = "points * 2", fill = "zero" }

[launch]
arguments = ["control", "curve", "points"]
grid  = ["ceil_div(points, 128)"]
block = ["128"]
*/
extern "C" __global__ void bezier_points(const float* __restrict__ control, float* __restrict__ curve, int points) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    const float* from = control + (i / 64) * 16;
    const float t = (i % 64) / 63.0f;
    float x[8], y[8];
    for (int k = 0; k < 8; ++k) {
        x[k] = from[2 * k];
        y[k] = from[2 * k + 1];
    }
    for (int level = 7; level > 0; --level)
        for (int k = 0; k < level; ++k) {
            x[k] += t * (x[k + 1] - x[k]);
            y[k] += t * (y[k + 1] - y[k]);
        }
    curve[2 * i] = x[0];
    curve[2 * i + 1] = y[0];
}
