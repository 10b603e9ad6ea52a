/*
[kernel]
title   = "Quantization to eight bits by the largest value of each 128, a warp for each block of values"

[parameters]
blocks_of_128 = { default = 33792 }

[buffers]
values = { type = "f32", length = "blocks_of_128 * 128", fill = "random", seed = "1605" }
codes = { type = "u32", length = "blocks_of_128 * 32", fill = "zero" }
scales = { type = "f32", length = "blocks_of_128", fill = "zero" }

[launch]
arguments = ["values", "codes", "scales"]
grid  = ["blocks_of_128 // 8"]
block = ["256"]
*/
extern "C" __global__ void quantize_blocks(const float4* __restrict__ values, unsigned* __restrict__ codes, float* __restrict__ scales) {
    const int warp = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    const float4 v = values[warp * 32 + lane];
    float most = fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
    for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, offset));
    const float scale = most / 127.0f, inverse = most > 0 ? 127.0f / most : 0.0f;
    const int a = __float2int_rn(v.x * inverse), b = __float2int_rn(v.y * inverse), c = __float2int_rn(v.z * inverse), d = __float2int_rn(v.w * inverse);
    codes[warp * 32 + lane] = (a & 255) | (b & 255) << 8 | (c & 255) << 16 | d << 24;
    if (lane == 0) scales[warp] = scale;
}
