/*
[kernel]
title   = "A step of Adam: four arrays read, three written, a square root and a division per weight"

[parameters]
n = { default = 2162688 }
rate = { default = 0.001, type = "f32" }

[buffers]
weights = { type = "f32", length = "n", fill = "random", seed = "324" }
gradient = { type = "f32", length = "n", fill = "random", seed = "325" }
first = { type = "f32", length = "n", fill = "random", seed = "326" }
second = { type = "f32", length = "n", fill = "random", seed = "327" }

[launch]
arguments = ["weights", "gradient", "first", "second", "rate", "n"]
grid  = ["n // 256"]
block = ["256"]
*/
extern "C" __global__ void adam_step(float* __restrict__ weights, const float* __restrict__ gradient,
                                     float* __restrict__ first, float* __restrict__ second, float rate, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float g = gradient[i];
    const float m = 0.9f * first[i] + 0.1f * g, v = 0.999f * second[i] + 0.001f * g * g;
    first[i] = m;
    second[i] = v;
    weights[i] -= rate * (m / 0.1f) / (sqrtf(v / 0.001f) + 1e-8f);
}
