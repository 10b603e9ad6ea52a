/*
[kernel]
title   = "Softmax of rows of 512, one warp per row, the row in registers"

[parameters]
rows = { default = 16384 }

[buffers]
in = { type = "f32", length = "rows * 512", fill = "random", seed = "3" }
out = { type = "f32", length = "rows * 512", fill = "zero" }

[launch]
arguments = ["in", "out", "rows"]
grid  = ["rows // 4"]
block = ["32", "4"]
*/
extern "C" __global__ void softmax_warp(const float* __restrict__ in, float* __restrict__ out, int rows) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    const float4* from = reinterpret_cast<const float4*>(in + static_cast<size_t>(row) * 512);
    float4* to = reinterpret_cast<float4*>(out + static_cast<size_t>(row) * 512);
    float4 part[4];
    float largest = -3.4e38f, sum = 0;
    for (int i = 0; i < 4; ++i) {
        part[i] = from[threadIdx.x + i * 32];
        largest = fmaxf(largest, fmaxf(fmaxf(part[i].x, part[i].y), fmaxf(part[i].z, part[i].w)));
    }
    for (int distance = 16; distance > 0; distance /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, distance));
    for (int i = 0; i < 4; ++i) {
        part[i].x = __expf(part[i].x - largest);
        part[i].y = __expf(part[i].y - largest);
        part[i].z = __expf(part[i].z - largest);
        part[i].w = __expf(part[i].w - largest);
        sum += part[i].x + part[i].y + part[i].z + part[i].w;
    }
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    const float scale = 1.0f / sum;
    for (int i = 0; i < 4; ++i)
        to[threadIdx.x + i * 32] =
            make_float4(part[i].x * scale, part[i].y * scale, part[i].z * scale, part[i].w * scale);
}
