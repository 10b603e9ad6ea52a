/*
[kernel]
title   = "Rows quantized to eight bits: the largest magnitude by shuffles and shared memory, then scaled and rounded"

[parameters]
rows = { default = 4224 }
width = { default = 1024 }

[buffers]
in = { type = "f32", length = "rows * width", fill = "random", seed = "511" }
out = { type = "i8", length = "rows * width", fill = "zero" }
scales = { type = "f32", length = "rows", fill = "zero" }

[launch]
arguments = ["in", "out", "scales", "width"]
grid  = ["rows"]
block = ["256"]
*/
extern "C" __global__ void quantize_rows(const float* __restrict__ in, signed char* __restrict__ out,
                                         float* __restrict__ scales, int width) {
    __shared__ float of_warp[8];
    const float* row = in + (size_t)blockIdx.x * width;
    float most = 0;
    for (int i = threadIdx.x; i < width; i += 256) most = fmaxf(most, fabsf(row[i]));
    for (int lane = 16; lane > 0; lane /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, lane));
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = most;
    __syncthreads();
    for (int warp = 0; warp < 8; ++warp) most = fmaxf(most, of_warp[warp]);
    const float scale = most / 127;
    if (threadIdx.x == 0) scales[blockIdx.x] = scale;
    for (int i = threadIdx.x; i < width; i += 256)
        out[(size_t)blockIdx.x * width + i] = (signed char)__float2int_rn(row[i] / scale);
}
