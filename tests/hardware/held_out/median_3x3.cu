/*
[kernel]
title   = "Median of nine pixels by a network of minima and maxima"

[parameters]
W = { default = 2048 }
H = { default = 1024 }

[buffers]
in = { type = "f32", length = "W * H", fill = "random", seed = "208" }
out = { type = "f32", length = "W * H", fill = "zero" }

[launch]
arguments = ["in", "out", "W", "H"]
grid  = ["W // 32", "H // 8"]
block = ["32", "8"]
*/
__device__ void order(float& a, float& b) {
    const float low = fminf(a, b);
    b = fmaxf(a, b);
    a = low;
}
extern "C" __global__ void median_3x3(const float* __restrict__ in, float* __restrict__ out, int W, int H) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float v[9];
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            v[j * 3 + i] = in[min(max(y + j - 1, 0), H - 1) * W + min(max(x + i - 1, 0), W - 1)];
    order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
    order(v[0], v[1]), order(v[3], v[4]), order(v[6], v[7]);
    order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
    v[3] = fmaxf(v[0], v[3]), v[5] = fminf(v[5], v[8]);
    order(v[4], v[7]);
    v[6] = fmaxf(v[3], v[6]), v[4] = fmaxf(v[1], v[4]), v[2] = fminf(v[2], v[5]), v[4] = fminf(v[4], v[7]);
    order(v[4], v[2]);
    v[4] = fmaxf(v[6], v[4]);
    out[y * W + x] = fminf(v[4], v[2]);
}
