/*
[kernel]
title   = "Wave equation in three dimensions, eighth order: a plane with its border in shared memory, the column in registers"

[parameters]
edge = { default = 160 }
deep = { default = 64 }

[buffers]
now = { type = "f32", length = "edge * edge * deep", fill = "random", seed = "431" }
last = { type = "f32", length = "edge * edge * deep", fill = "random", seed = "432" }
speed = { type = "f32", length = "edge * edge * deep", fill = "random", seed = "433" }

[launch]
arguments = ["now", "last", "speed", "edge", "deep"]
grid  = ["(edge - 8) // 32 + 1", "(edge - 8) // 8", "2"]
block = ["32", "8"]
*/
extern "C" __global__ void wave_25_point(const float* __restrict__ now, float* __restrict__ last,
                                         const float* __restrict__ speed, int edge, int deep) {
    constexpr float c[5] = {-2.847222f, 1.6f, -0.2f, 0.02539683f, -0.001785714f};
    __shared__ float tile[16][40];
    const int x = min(int(blockIdx.x * 32 + threadIdx.x) + 4, edge - 5), y = blockIdx.y * 8 + threadIdx.y + 4;
    const int tx = threadIdx.x + 4, ty = threadIdx.y + 4, plane = edge * edge, half = (deep - 8) / 2;
    int at = y * edge + x + int(blockIdx.z) * half * plane;
    float column[9];
    for (int i = 1; i < 9; ++i) column[i] = now[at + (i - 1) * plane];
    at += 3 * plane;
    for (int z = 0; z < half; ++z) {
        at += plane;
        for (int i = 0; i < 8; ++i) column[i] = column[i + 1];
        column[8] = now[at + 4 * plane];
        __syncthreads();
        tile[ty][tx] = column[4];
        if (threadIdx.y < 4) {
            tile[threadIdx.y][tx] = now[at - 4 * edge];
            tile[threadIdx.y + 12][tx] = now[at + 8 * edge];
        }
        if (threadIdx.x < 4) {
            tile[ty][threadIdx.x] = now[at - 4];
            tile[ty][threadIdx.x + 36] = now[min(at + 32, y * edge + edge - 1 + (at / plane) * plane)];
        }
        __syncthreads();
        float sum = 3 * c[0] * column[4];
        for (int i = 1; i < 5; ++i)
            sum += c[i] * (tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i] + column[4 - i] +
                           column[4 + i]);
        last[at] = 2 * column[4] - last[at] + speed[at] * sum;
    }
}
