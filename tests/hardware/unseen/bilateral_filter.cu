/*
[kernel]
title   = "Bilateral filter of a picture, 7 by 7, the neighbourhood in shared memory"

[parameters]
width = { default = 768 }
height = { default = 512 }

[buffers]
in = { type = "f32", length = "width * height", fill = "random", seed = "117" }
out = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["in", "out", "width", "height"]
grid  = ["width // 16", "height // 16"]
block = ["16", "16"]
*/
extern "C" __global__ void bilateral_filter(const float* in, float* out, int width, int height) {
    __shared__ float tile[22][23];
    const int left = blockIdx.x * 16 - 3, top = blockIdx.y * 16 - 3;
    for (int y = threadIdx.y; y < 22; y += 16)
        for (int x = threadIdx.x; x < 22; x += 16)
            tile[y][x] = in[min(max(top + y, 0), height - 1) * width + min(max(left + x, 0), width - 1)];
    __syncthreads();
    const float centre = tile[threadIdx.y + 3][threadIdx.x + 3];
    float sum = 0, weights = 0;
    for (int y = -3; y <= 3; ++y)
        for (int x = -3; x <= 3; ++x) {
            const float value = tile[threadIdx.y + 3 + y][threadIdx.x + 3 + x], difference = value - centre;
            const float weight = __expf(-0.08f * (x * x + y * y) - 12.0f * difference * difference);
            sum += weight * value;
            weights += weight;
        }
    out[(top + 3 + threadIdx.y) * width + left + 3 + threadIdx.x] = sum / weights;
}
