/*
[kernel]
title   = "Box filter of packed pixels, down the columns: a running sum of four channels per thread, as in CUDA's samples"

[parameters]
width = { default = 9504 }
height = { default = 96 }
radius = { default = 7 }

[buffers]
pixels = { type = "u32", length = "width * height", fill = "random", seed = "748", below = "4294967295" }
out = { type = "u32", length = "width * height", fill = "zero" }

[launch]
arguments = ["pixels", "out", "width", "height", "radius"]
grid  = ["width // 96"]
block = ["96"]
*/
__device__ float4 channels_of(unsigned c) {
    return make_float4((c & 255) / 255.0f, (c >> 8 & 255) / 255.0f, (c >> 16 & 255) / 255.0f, (c >> 24) / 255.0f);
}
__device__ unsigned packed(float4 v, float scale) {
    return unsigned(__saturatef(v.w * scale) * 255.0f) << 24 | unsigned(__saturatef(v.z * scale) * 255.0f) << 16 |
           unsigned(__saturatef(v.y * scale) * 255.0f) << 8 | unsigned(__saturatef(v.x * scale) * 255.0f);
}
extern "C" __global__ void box_columns(const unsigned* pixels, unsigned* out, int width, int height, int radius) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned* from = pixels + x;
    unsigned* to = out + x;
    const float scale = 1.0f / (radius * 2 + 1);
    float4 sum = channels_of(from[0]);
    sum = make_float4(sum.x * radius, sum.y * radius, sum.z * radius, sum.w * radius);
    const auto add = [&](unsigned c, float sign) {
        const float4 v = channels_of(c);
        sum = make_float4(sum.x + sign * v.x, sum.y + sign * v.y, sum.z + sign * v.z, sum.w + sign * v.w);
    };
    for (int y = 0; y <= radius; ++y) add(from[y * width], 1);
    to[0] = packed(sum, scale);
    for (int y = 1; y < height; ++y) {
        add(from[min(y + radius, height - 1) * width], 1);
        add(from[max(y - radius - 1, 0) * width], -1);
        to[y * width] = packed(sum, scale);
    }
}
