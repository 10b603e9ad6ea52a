/*
[kernel]
title   = "Areas below damped waves by Romberg's method: each thread halves its steps until two estimates agree"

[parameters]
waves = { default = 33792 }

[buffers]
frequency = { type = "f32", length = "waves", fill = "random", seed = "1951" }
area = { type = "f32", length = "waves", fill = "zero" }
halvings = { type = "u8", length = "waves", fill = "zero" }

[launch]
arguments = ["frequency", "area", "halvings", "waves"]
grid  = ["ceil_div(waves, 256)"]
block = ["256"]
*/
__device__ float wave(float w, float t) { return __sinf(w * t) * __expf(-t); }
extern "C" __global__ void romberg_areas(const float* __restrict__ frequency, float* __restrict__ area,
                                         unsigned char* __restrict__ halvings, int waves) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= waves) return;
    const float w = 1.0f + 20.0f * frequency[i];
    float step = 4.0f, coarse = 0.5f * step * (wave(w, 0.0f) + wave(w, step)), best = coarse;
    int level = 1;
    for (; level <= 9; ++level) {
        float sum = 0.0f;
        for (int k = 0; k < (1 << (level - 1)); ++k) sum += wave(w, (k + 0.5f) * step);
        const float fine = 0.5f * (coarse + step * sum);
        const float better = fine + (fine - coarse) * (1.0f / 3.0f);
        coarse = fine;
        step *= 0.5f;
        const bool agrees = level > 2 && fabsf(better - best) < 2e-3f;
        best = better;
        if (agrees) break;
    }
    area[i] = best;
    halvings[i] = level;
}
