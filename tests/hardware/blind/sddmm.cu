/*
[kernel]
title   = "Dense product sampled at the places of a sparse matrix: 64 columns, eight lanes per place"

[parameters]
rows = { default = 16384 }

[buffers]
row = { type = "u32", length = "rows * 12", fill = "formula", value = "i // 12" }
column = { type = "u32", length = "rows * 12", fill = "random", seed = "423", below = "16384" }
a = { type = "f32", length = "rows * 64", fill = "random", seed = "424" }
b = { type = "f32", length = "rows * 64", fill = "random", seed = "425" }
out = { type = "f32", length = "rows * 12", fill = "zero" }

[launch]
arguments = ["row", "column", "a", "b", "out"]
grid  = ["rows * 12 // 32"]
block = ["256"]
*/
extern "C" __global__ void sddmm(const unsigned* __restrict__ row, const unsigned* __restrict__ column,
                                 const float4* __restrict__ a, const float4* __restrict__ b, float* __restrict__ out) {
    const int place = blockIdx.x * 32 + threadIdx.x / 8, lane = threadIdx.x % 8;
    const float4* left = a + size_t(row[place]) * 16 + lane;
    const float4* right = b + size_t(column[place]) * 16 + lane;
    float sum = 0;
    for (int i = 0; i < 2; ++i) {
        const float4 x = left[i * 8], y = right[i * 8];
        sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    for (int distance = 4; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (lane == 0) out[place] = sum;
}
