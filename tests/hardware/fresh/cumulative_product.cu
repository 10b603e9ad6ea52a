/*
[kernel]
title   = "Cumulative product of each row: eight elements per thread, warps scan by shuffles, blocks in shared memory"

[parameters]
rows = { default = 1056 }
width = { default = 2048, macro = true }

[buffers]
in = { type = "f32", length = "rows * width", fill = "formula", value = "0.99 + 0.02 * random()", seed = "320" }
out = { type = "f32", length = "rows * width", fill = "zero" }

[launch]
arguments = ["in", "out"]
grid  = ["rows"]
block = ["256"]
*/
extern "C" __global__ void cumulative_product(const float4* __restrict__ in, float4* __restrict__ out) {
    __shared__ float totals[8];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int at = blockIdx.x * (width / 4) + thread * 2;
    float4 a = in[at], b = in[at + 1];
    a.y *= a.x, a.z *= a.y, a.w *= a.z, b.x *= a.w, b.y *= b.x, b.z *= b.y, b.w *= b.z;
    float product = b.w;
    for (int distance = 1; distance < 32; distance *= 2) {
        const float before = __shfl_up_sync(0xffffffffu, product, distance);
        if (lane >= distance) product *= before;
    }
    if (lane == 31) totals[warp] = product;
    float left = __shfl_up_sync(0xffffffffu, product, 1);
    if (lane == 0) left = 1;
    __syncthreads();
    for (int i = 0; i < warp; ++i) left *= totals[i];
    a.x *= left, a.y *= left, a.z *= left, a.w *= left;
    b.x *= left, b.y *= left, b.z *= left, b.w *= left;
    out[at] = a;
    out[at + 1] = b;
}
