/*
[kernel]
title   = "Four steps of two reacting and diffusing substances in a tile in shared memory"

[parameters]
width = { default = 352 }

[buffers]
u = { type = "f32", length = "width * 384", fill = "random", seed = "1833" }
v = { type = "f32", length = "width * 384", fill = "random", seed = "1834" }
u_out = { type = "f32", length = "width * 384", fill = "zero" }
v_out = { type = "f32", length = "width * 384", fill = "zero" }

[launch]
arguments = ["u", "v", "u_out", "v_out", "width"]
grid  = ["width // 32", "12"]
block = ["40", "8"]
*/
extern "C" __global__ void gray_scott(const float* __restrict__ u, const float* __restrict__ v, float* __restrict__ u_out, float* __restrict__ v_out, int width) {
    __shared__ float a[2][40][40], b[2][40][40];
    const int x = blockIdx.x * 32 + threadIdx.x - 4, y = blockIdx.y * 32 - 4, wrapped = (x + width) % width;
    for (int j = threadIdx.y; j < 40; j += 8) {
        const int at = (y + j + 384) % 384 * width + wrapped;
        a[0][j][threadIdx.x] = u[at];
        b[0][j][threadIdx.x] = v[at];
    }
    __syncthreads();
    const int i = threadIdx.x;
    for (int step = 0; step < 4; ++step) {
        const int from = step % 2, to = 1 - from;
        for (int j = threadIdx.y; j < 40; j += 8) {
            if (i <= step || j <= step || i >= 39 - step || j >= 39 - step) continue;
            const float p = a[from][j][i], q = b[from][j][i], reaction = p * q * q;
            const float du = a[from][j - 1][i] + a[from][j + 1][i] + a[from][j][i - 1] + a[from][j][i + 1] - 4 * p;
            const float dv = b[from][j - 1][i] + b[from][j + 1][i] + b[from][j][i - 1] + b[from][j][i + 1] - 4 * q;
            a[to][j][i] = p + 0.16f * du - reaction + 0.035f * (1 - p);
            b[to][j][i] = q + 0.08f * dv + reaction - 0.1f * q;
        }
        __syncthreads();
    }
    if (i < 4 || i >= 36) return;
    for (int j = threadIdx.y + 4; j < 36; j += 8) {
        u_out[(y + j) * width + x] = a[0][j][i];
        v_out[(y + j) * width + x] = b[0][j][i];
    }
}
