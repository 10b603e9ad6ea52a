/*
[kernel]
title   = "Layer normalization, one block per row of 4096, float4"

[parameters]
rows = { default = 1024 }

[buffers]
in = { type = "f32", length = "rows * 4096", fill = "random", seed = "5" }
weight = { type = "f32", length = "4096", fill = "random", seed = "6" }
bias = { type = "f32", length = "4096", fill = "random", seed = "7" }
out = { type = "f32", length = "rows * 4096", fill = "zero" }

[launch]
arguments = ["in", "weight", "bias", "out"]
grid  = ["rows"]
block = ["256"]
*/
__device__ float total(float value, float* parts) {
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0;
    for (int i = 0; i < 8; ++i) value += parts[i];
    __syncthreads();
    return value;
}

extern "C" __global__ void layernorm_block(const float4* in, const float4* weight, const float4* bias,
                                           float4* out) {
    __shared__ float parts[8];
    in += static_cast<size_t>(blockIdx.x) * 1024;
    out += static_cast<size_t>(blockIdx.x) * 1024;
    float4 x[4];
    float sum = 0;
    for (int i = 0; i < 4; ++i) {
        x[i] = in[threadIdx.x + i * 256];
        sum += x[i].x + x[i].y + x[i].z + x[i].w;
    }
    const float mean = total(sum, parts) / 4096;
    float squares = 0;
    for (int i = 0; i < 4; ++i) {
        x[i].x -= mean, x[i].y -= mean, x[i].z -= mean, x[i].w -= mean;
        squares += x[i].x * x[i].x + x[i].y * x[i].y + x[i].z * x[i].z + x[i].w * x[i].w;
    }
    const float scale = rsqrtf(total(squares, parts) / 4096 + 1e-5f);
    for (int i = 0; i < 4; ++i) {
        const float4 w = weight[threadIdx.x + i * 256], b = bias[threadIdx.x + i * 256];
        out[threadIdx.x + i * 256] = make_float4(x[i].x * scale * w.x + b.x, x[i].y * scale * w.y + b.y,
                                                 x[i].z * scale * w.z + b.z, x[i].w * scale * w.w + b.w);
    }
}
