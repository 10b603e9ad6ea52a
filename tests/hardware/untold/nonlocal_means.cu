/*
[kernel]
title   = "Non-local means: tiles of 32 x 8 with an edge of 5 in shared memory, patches of 5 x 5 compared at 49 places"

[parameters]
width = { default = 704 }
height = { default = 384 }

[buffers]
noisy = { type = "f32", length = "(width + 10) * (height + 10)", fill = "random", seed = "1414" }
clean = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["noisy", "clean", "width", "f32=8"]
grid  = ["width // 32", "height // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void nonlocal_means(const float* __restrict__ noisy, float* __restrict__ clean, int width, float strength) {
    __shared__ float tile[18][43];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 18 * 42; i += 256)
        tile[i / 42][i % 42] = noisy[(y0 + i / 42) * (width + 10) + x0 + i % 42];
    __syncthreads();
    const int cx = threadIdx.x + 5, cy = threadIdx.y + 5;
    float patch[5][5];
#pragma unroll
    for (int v = 0; v < 5; ++v)
#pragma unroll
        for (int u = 0; u < 5; ++u) patch[v][u] = tile[cy + v - 2][cx + u - 2];
    float weights = 0, sum = 0;
    for (int dy = -3; dy <= 3; ++dy)
        for (int dx = -3; dx <= 3; ++dx) {
            float distance = 0;
#pragma unroll
            for (int v = 0; v < 5; ++v)
#pragma unroll
                for (int u = 0; u < 5; ++u) {
                    const float d = patch[v][u] - tile[cy + dy + v - 2][cx + dx + u - 2];
                    distance += d * d;
                }
            const float weight = __expf(-distance * strength);
            weights += weight;
            sum += weight * tile[cy + dy][cx + dx];
        }
    clean[(y0 + threadIdx.y) * width + x0 + threadIdx.x] = sum / weights;
}
