/*
[kernel]
title   = "Cosine transform of 8 x 8 pixels: eight threads per tile, columns then rows through shared memory"

[parameters]
W = { default = 2048 }
H = { default = 1056 }

[buffers]
in = { type = "f32", length = "W * H", fill = "random", seed = "321" }
out = { type = "f32", length = "W * H", fill = "zero" }

[launch]
arguments = ["in", "out", "W"]
grid  = ["W // 32", "H // 16"]
block = ["8", "4", "2"]
*/
__device__ void transform(float* v) {
    const float a = v[0] + v[7], b = v[1] + v[6], c = v[2] + v[5], d = v[3] + v[4];
    const float e = v[0] - v[7], f = v[1] - v[6], g = v[2] - v[5], h = v[3] - v[4];
    const float p = a + d, q = b + c, r = a - d, s = b - c;
    v[0] = 0.35355339f * (p + q), v[4] = 0.35355339f * (p - q);
    v[2] = 0.46193977f * r + 0.19134172f * s, v[6] = 0.19134172f * r - 0.46193977f * s;
    v[1] = 0.49039264f * e + 0.41573481f * f + 0.27778512f * g + 0.09754516f * h;
    v[3] = 0.41573481f * e - 0.09754516f * f - 0.49039264f * g - 0.27778512f * h;
    v[5] = 0.27778512f * e - 0.49039264f * f + 0.09754516f * g + 0.41573481f * h;
    v[7] = 0.09754516f * e - 0.27778512f * f + 0.41573481f * g - 0.49039264f * h;
}
extern "C" __global__ void dct_8x8(const float* __restrict__ in, float* __restrict__ out, int W) {
    __shared__ float tile[16][33];
    const int lane = threadIdx.x, x = threadIdx.y * 8, y = threadIdx.z * 8;
    const int corner = (blockIdx.y * 16 + y) * W + blockIdx.x * 32 + x;
    float v[8];
    for (int i = 0; i < 8; ++i) v[i] = in[corner + i * W + lane];
    transform(v);
    for (int i = 0; i < 8; ++i) tile[y + i][x + lane] = v[i];
    __syncwarp();
    for (int i = 0; i < 8; ++i) v[i] = tile[y + lane][x + i];
    transform(v);
    for (int i = 0; i < 8; ++i) tile[y + lane][x + i] = v[i];
    __syncwarp();
    for (int i = 0; i < 8; ++i) out[corner + i * W + lane] = tile[y + i][x + lane];
}
