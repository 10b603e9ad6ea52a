/*
[kernel]
title   = "Adagrad of a table of 64 numbers a row: a warp for each gradient, every second row or the one after it"

[parameters]
rows = { default = 8448 }

[buffers]
indices = { type = "u32", length = "rows", fill = "random", seed = "2241", below = "2" }
gradients = { type = "f32", length = "rows * 64", fill = "random", seed = "2242" }
sums = { type = "f32", length = "rows * 128", fill = "random", seed = "2243" }
table = { type = "f32", length = "rows * 128", fill = "random", seed = "2244" }

[launch]
arguments = ["indices", "gradients", "sums", "table"]
grid  = ["rows // 8"]
block = ["256"]
*/
extern "C" __global__ void adagrad_rows(const unsigned* __restrict__ indices, const float2* __restrict__ gradients, float2* sums, float2* table) {
    const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned at = (row * 2 + indices[row]) * 32 + lane;
    const float2 g = gradients[row * 32 + lane];
    float2 sum = sums[at], value = table[at];
    sum.x += g.x * g.x;
    sum.y += g.y * g.y;
    value.x -= 0.01f * g.x * rsqrtf(sum.x + 1e-8f);
    value.y -= 0.01f * g.y * rsqrtf(sum.y + 1e-8f);
    sums[at] = sum;
    table[at] = value;
}
