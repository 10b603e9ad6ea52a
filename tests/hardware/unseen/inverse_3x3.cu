/*
[kernel]
title   = "Inverses of 3 by 3 matrices, one per thread, by cofactors"

[parameters]
count = { default = 65536 }

[buffers]
in = { type = "f32", length = "count * 9", fill = "random", seed = "102" }
out = { type = "f32", length = "count * 9", fill = "zero" }

[launch]
arguments = ["in", "out", "count"]
grid  = ["ceil_div(count, 256)"]
block = ["256"]
*/
extern "C" __global__ void inverse_3x3(const float* __restrict__ in, float* __restrict__ out, int count) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    float m[9];
    for (int i = 0; i < 9; ++i) m[i] = in[at * 9 + i] + (i % 4 == 0 ? 2.0f : 0.0f);
    const float a = m[4] * m[8] - m[5] * m[7], b = m[5] * m[6] - m[3] * m[8], c = m[3] * m[7] - m[4] * m[6];
    const float scale = 1.0f / (m[0] * a + m[1] * b + m[2] * c);
    out[at * 9 + 0] = a * scale;
    out[at * 9 + 1] = (m[2] * m[7] - m[1] * m[8]) * scale;
    out[at * 9 + 2] = (m[1] * m[5] - m[2] * m[4]) * scale;
    out[at * 9 + 3] = b * scale;
    out[at * 9 + 4] = (m[0] * m[8] - m[2] * m[6]) * scale;
    out[at * 9 + 5] = (m[2] * m[3] - m[0] * m[5]) * scale;
    out[at * 9 + 6] = c * scale;
    out[at * 9 + 7] = (m[1] * m[6] - m[0] * m[7]) * scale;
    out[at * 9 + 8] = (m[0] * m[4] - m[1] * m[3]) * scale;
}
