/*
[kernel]
title   = "Tridiagonal systems of 64 unknowns by Thomas's algorithm, one per thread, interleaved"

[parameters]
systems = { default = 16384 }

[buffers]
lower = { type = "f32", length = "systems * 64", fill = "random", seed = "213" }
middle = { type = "f32", length = "systems * 64", fill = "formula", value = "3 + random()", seed = "214" }
upper = { type = "f32", length = "systems * 64", fill = "random", seed = "215" }
right = { type = "f32", length = "systems * 64", fill = "random", seed = "216" }

[launch]
arguments = ["lower", "middle", "upper", "right", "systems"]
grid  = ["systems // 64"]
block = ["64"]
*/
extern "C" __global__ void tridiagonal_batch(const float* __restrict__ lower, const float* __restrict__ middle,
                                             float* __restrict__ upper, float* __restrict__ right, int systems) {
    int at = blockIdx.x * 64 + threadIdx.x;
    float c = upper[at] / middle[at], d = right[at] / middle[at];
    upper[at] = c;
    right[at] = d;
    for (int i = 1; i < 64; ++i) {
        at += systems;
        const float a = lower[at], scale = 1 / (middle[at] - a * c);
        c = upper[at] * scale;
        d = (right[at] - a * d) * scale;
        upper[at] = c;
        right[at] = d;
    }
    for (int i = 62; i >= 0; --i) {
        at -= systems;
        d = right[at] - upper[at] * d;
        right[at] = d;
    }
}
