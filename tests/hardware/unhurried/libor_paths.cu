/*
[kernel]
title   = "Paths of a LIBOR market: forty rates evolved over forty steps in local memory, then swaptions"

[parameters]
paths = { default = 8448 }

[buffers]
draws = { type = "f32", length = "paths * 40", fill = "random", seed = "1809" }
vol = { type = "f32", length = "80", fill = "constant", value = "0.2" }
values = { type = "f32", length = "paths", fill = "zero" }

[launch]
arguments = ["draws", "vol", "values", "paths"]
grid  = ["paths // 64"]
block = ["64"]
*/
extern "C" __global__ void libor_paths(const float* __restrict__ draws, const float* __restrict__ vol, float* __restrict__ values, int paths) {
    const int path = blockIdx.x * 64 + threadIdx.x;
    float rates[40];
    for (int i = 0; i < 40; ++i) rates[i] = 0.05f;
    for (int n = 0; n < 20; ++n) {
        const float z = draws[n * paths + path] - 0.5f, root = 0.5f * z;
        float drift = 0;
        for (int i = n + 1; i < 40; ++i) {
            const float l = vol[i - n - 1], con = 0.25f * l;
            drift += con * rates[i] / (1.0f + 0.25f * rates[i]);
            rates[i] *= __expf(con * drift + l * (root - 0.125f * l));
        }
    }
    float b = 1, s = 0, value = 0;
    for (int n = 20; n < 40; ++n) {
        b /= 1.0f + 0.25f * rates[n];
        s += 0.25f * b;
        value += fmaxf(b + 0.05f * s - 1.0f, -0.2f);
    }
    values[path] = value;
}
