/*
[kernel]
title   = "5 x 5 convolution, weights read by all lanes, four columns per thread"

[parameters]
width = { default = 2048 }
height = { default = 1024 }

[buffers]
in = { type = "f32", length = "width * height", fill = "random", seed = "18" }
weights = { type = "f32", length = "25", fill = "random", seed = "19" }
out = { type = "f32", length = "width * height", fill = "zero" }

[launch]
arguments = ["in", "weights", "out", "width", "height"]
grid  = ["width // 128", "height // 8"]
block = ["32", "8"]
*/
extern "C" __global__ void convolution_2d(const float* __restrict__ in, const float* __restrict__ weights,
                                          float* __restrict__ out, int width, int height) {
    const int x = (blockIdx.x * 32 + threadIdx.x) * 4, y = blockIdx.y * 8 + threadIdx.y;
    float sums[4] = {};
    for (int dy = 0; dy < 5; ++dy) {
        const int row = min(max(y + dy - 2, 0), height - 1) * width;
        float pixels[8];
        for (int i = 0; i < 8; ++i) pixels[i] = in[row + min(max(x + i - 2, 0), width - 1)];
        for (int dx = 0; dx < 5; ++dx) {
            const float weight = weights[dy * 5 + dx];
            for (int i = 0; i < 4; ++i) sums[i] += weight * pixels[i + dx];
        }
    }
    *reinterpret_cast<float4*>(&out[y * width + x]) = make_float4(sums[0], sums[1], sums[2], sums[3]);
}
