/*
[kernel]
title   = "One collision and streaming step of a D2Q9 lattice Boltzmann fluid"

[parameters]
W = { default = 1024 }
H = { default = 512 }

[buffers]
from = { type = "f32", length = "9 * W * H", fill = "random", seed = "212" }
to = { type = "f32", length = "9 * W * H", fill = "zero" }

[launch]
arguments = ["from", "to", "W", "H", "f32=0.6"]
grid  = ["W // 128", "H"]
block = ["128"]
*/
extern "C" __global__ void lattice_boltzmann(const float* __restrict__ from, float* __restrict__ to, int W, int H,
                                             float omega) {
    constexpr int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    constexpr float weight[9] = {4 / 9.0f,  1 / 9.0f,  1 / 9.0f,  1 / 9.0f, 1 / 9.0f,
                                 1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f};
    const int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y, cells = W * H;
    float f[9], density = 0, u = 0, v = 0;
    for (int i = 0; i < 9; ++i) {
        const int column = (x - dx[i] + W) & (W - 1), row = (y - dy[i] + H) & (H - 1);
        f[i] = from[i * cells + row * W + column];
        density += f[i];
        u += f[i] * dx[i];
        v += f[i] * dy[i];
    }
    u /= density;
    v /= density;
    const float square = 1.5f * (u * u + v * v);
    for (int i = 0; i < 9; ++i) {
        const float along = 3 * (dx[i] * u + dy[i] * v);
        const float rest = weight[i] * density * (1 + along + 0.5f * along * along - square);
        to[i * cells + y * W + x] = f[i] + omega * (rest - f[i]);
    }
}
