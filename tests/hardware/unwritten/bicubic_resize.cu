/*
[kernel]
title   = "An image enlarged by 1.6 with the sixteen neighbours of each place"

[parameters]
width = { default = 1280 }
height = { default = 720 }

[buffers]
image = { type = "f32", length = "800 * 452", fill = "random", seed = "1617" }
enlarged = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["image", "enlarged", "width"]
grid  = ["width // 32", "height // 8"]
block = ["32", "8"]
*/
__device__ __forceinline__ void weights_of(float t, float* w) {
    w[0] = t * (t * (1.0f - 0.5f * t) - 0.5f);
    w[1] = t * t * (1.5f * t - 2.5f) + 1.0f;
    w[2] = t * (t * (2.0f - 1.5f * t) + 0.5f);
    w[3] = t * t * (0.5f * t - 0.5f);
}
extern "C" __global__ void bicubic_resize(const float* __restrict__ image, float* __restrict__ enlarged, int width) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const float u = x * 0.622f + 0.3f, v = y * 0.622f + 0.3f;
    const int left = int(u), top = int(v);
    float wx[4], wy[4];
    weights_of(u - left, wx);
    weights_of(v - top, wy);
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const float* row = image + min(max(top + j - 1, 0), 451) * 800;
        float part = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i) part += wx[i] * row[min(max(left + i - 1, 0), 799)];
        sum += wy[j] * part;
    }
    enlarged[y * width + x] = sum;
}
