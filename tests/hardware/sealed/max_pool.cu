/*
[kernel]
title   = "Maxima of windows of 3 x 3 with a stride of 2 and padding, and where they are"

[parameters]
W = { default = 2048 }
H = { default = 1056 }

[buffers]
in = { type = "f32", length = "W * H", fill = "random", seed = "507" }
out = { type = "f32", length = "W * H // 4", fill = "zero" }
where = { type = "u32", length = "W * H // 4", fill = "zero" }

[launch]
arguments = ["in", "out", "where", "W", "H"]
grid  = ["ceil_div(W // 2, 32)", "ceil_div(H // 2, 8)"]
block = ["32", "8"]
*/
extern "C" __global__ void max_pool(const float* __restrict__ in, float* __restrict__ out, unsigned* __restrict__ where,
                                    int W, int H) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W / 2 || y >= H / 2) return;
    float most = -1e30f;
    unsigned at = 0;
    for (int v = 2 * y - 1; v <= 2 * y + 1; ++v)
        for (int u = 2 * x - 1; u <= 2 * x + 1; ++u) {
            if (u < 0 || v < 0 || u >= W || v >= H) continue;
            const float value = in[v * W + u];
            if (value > most) most = value, at = v * W + u;
        }
    out[y * (W / 2) + x] = most;
    where[y * (W / 2) + x] = at;
}
