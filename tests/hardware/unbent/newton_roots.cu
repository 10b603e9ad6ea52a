/*
[kernel]
title   = "Roots of x^5 - x - a by Newton's steps until they no longer move"

[parameters]
n = { default = 405504 }

[buffers]
a = { type = "f32", length = "n", fill = "random", seed = "1603" }
roots = { type = "f32", length = "n", fill = "zero" }
steps = { type = "u8", length = "n", fill = "zero" }

[launch]
arguments = ["a", "roots", "steps", "n"]
grid  = ["ceil_div(n, 128)"]
block = ["128"]
*/
extern "C" __global__ void newton_roots(const float* __restrict__ a, float* __restrict__ roots,
                                        unsigned char* __restrict__ steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float constant = a[i] * 8.0f + 0.5f;
    float x = 2.0f;
    int count = 0;
    while (count < 40) {
        const float square = x * x, fourth = square * square;
        const float step = (fourth * x - x - constant) / (5.0f * fourth - 1.0f);
        x -= step;
        ++count;
        if (fabsf(step) < 1e-5f * fabsf(x)) break;
    }
    roots[i] = x;
    steps[i] = (unsigned char)count;
}
