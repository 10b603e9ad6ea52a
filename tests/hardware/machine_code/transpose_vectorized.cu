/*
[kernel]
title   = "Transpose with float4 loads and stores through a padded tile"

[parameters]
W = { default = 512, min = 64, max = 8192, step = 64 }
H = { default = 256, min = 64, max = 8192, step = 64 }

[buffers]
in  = { type = "f32", length = "W * H", fill = "iota" }
out = { type = "f32", length = "W * H", fill = "zero" }

[launch]
arguments = ["in", "out", "W", "H"]
grid  = ["W // 64", "H // 64"]
block = ["16", "16"]
*/
extern "C" __global__ void transpose_vectorized(const float* in, float* out, int W, int H) {
    __shared__ float tile[64][65];
    const int x = threadIdx.x * 4, first_x = blockIdx.x * 64, first_y = blockIdx.y * 64;
    for (int y = threadIdx.y; y < 64; y += 16) {
        const float4 four = *reinterpret_cast<const float4*>(&in[(first_y + y) * W + first_x + x]);
        tile[y][x] = four.x;
        tile[y][x + 1] = four.y;
        tile[y][x + 2] = four.z;
        tile[y][x + 3] = four.w;
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 64; y += 16)
        *reinterpret_cast<float4*>(&out[(first_x + y) * H + first_y + x]) =
            make_float4(tile[x][y], tile[x + 1][y], tile[x + 2][y], tile[x + 3][y]);
}
