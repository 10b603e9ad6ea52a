/*
[kernel]
title   = "Root-mean-square normalization of rows of 1024, one block of 256 per row, four elements per thread"

[parameters]
rows = { default = 4096 }

[buffers]
in = { type = "f32", length = "rows * 1024", fill = "random", seed = "201" }
weight = { type = "f32", length = "1024", fill = "random", seed = "202" }
out = { type = "f32", length = "rows * 1024", fill = "zero" }

[launch]
arguments = ["in", "weight", "out", "f32=1e-6"]
grid  = ["rows"]
block = ["256"]
*/
extern "C" __global__ void rmsnorm_rows(const float4* __restrict__ in, const float4* __restrict__ weight,
                                        float4* __restrict__ out, float epsilon) {
    __shared__ float partial[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t at = static_cast<size_t>(blockIdx.x) * 256 + threadIdx.x;
    const float4 x = in[at];
    float sum = x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    float total = 0;
    for (int i = 0; i < 8; ++i) total += partial[i];
    const float scale = rsqrtf(total / 1024 + epsilon);
    const float4 w = weight[threadIdx.x];
    out[at] = make_float4(x.x * scale * w.x, x.y * scale * w.y, x.z * scale * w.z, x.w * scale * w.w);
}
