/*
[kernel]
title   = "Layer normalization, one warp per row"

[parameters]
rows    = { default = 200, min = 1, max = 65536 }
columns = { default = 384, min = 4, max = 8192, step = 4 }

[buffers]
in      = { type = "f32", length = "rows * columns", fill = "random", seed = "4" }
weights = { type = "f32", length = "columns", fill = "random", seed = "5" }
offsets = { type = "f32", length = "columns", fill = "random", seed = "6" }
out     = { type = "f32", length = "rows * columns", fill = "zero" }
means   = { type = "f32", length = "rows", fill = "zero" }
scales  = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["in", "weights", "offsets", "out", "means", "scales", "rows", "columns"]
grid  = ["ceil_div(rows, 4)"]
block = ["128"]
*/
__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return __shfl_sync(0xffffffffu, value, 0);
}

extern "C" __global__ void layernorm_rows(const float* __restrict__ in, const float* __restrict__ weights,
                                          const float* __restrict__ offsets, float* __restrict__ out,
                                          float* __restrict__ means, float* __restrict__ scales, int rows,
                                          int columns) {
    const int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows) return;
    const float4* values = reinterpret_cast<const float4*>(in + static_cast<size_t>(row) * columns);
    float sum = 0.0f;
    for (int i = lane; i < columns / 4; i += 32) {
        const float4 four = values[i];
        sum += four.x + four.y + four.z + four.w;
    }
    const float mean = warp_sum(sum) / columns;
    float squares = 0.0f;
    for (int i = lane; i < columns / 4; i += 32) {
        const float4 four = values[i];
        const float a = four.x - mean, b = four.y - mean, c = four.z - mean, d = four.w - mean;
        squares += a * a + b * b + c * c + d * d;
    }
    const float scale = rsqrtf(warp_sum(squares) / columns + 1e-5f);
    if (lane == 0) {
        means[row] = mean;
        scales[row] = scale;
    }
    float4* results = reinterpret_cast<float4*>(out + static_cast<size_t>(row) * columns);
    for (int i = lane; i < columns / 4; i += 32) {
        const float4 four = values[i], weight = reinterpret_cast<const float4*>(weights)[i],
                     offset = reinterpret_cast<const float4*>(offsets)[i];
        results[i] = make_float4((four.x - mean) * scale * weight.x + offset.x,
                                 (four.y - mean) * scale * weight.y + offset.y,
                                 (four.z - mean) * scale * weight.z + offset.z,
                                 (four.w - mean) * scale * weight.w + offset.w);
    }
}
