/*
[kernel]
title   = "Places on a space-filling curve: each thread interleaves the bits of three coordinates"

[parameters]
n = { default = 500005 }

[buffers]
x = { type = "f32", length = "n", fill = "random", seed = "1521" }
y = { type = "f32", length = "n", fill = "random", seed = "1522" }
z = { type = "f32", length = "n", fill = "random", seed = "1523" }
codes = { type = "u32", length = "n", fill = "zero" }

[launch]
arguments = ["x", "y", "z", "codes", "n"]
grid  = ["ceil_div(n, 192)"]
block = ["192"]
*/
__device__ unsigned spread_bits(float value) {
    unsigned v = (unsigned)fminf(fmaxf(value * 1024.0f, 0.0f), 1023.0f);
    v = (v * 0x00010001u) & 0xff0000ffu;
    v = (v * 0x00000101u) & 0x0f00f00fu;
    v = (v * 0x00000011u) & 0xc30c30c3u;
    return (v * 0x00000005u) & 0x49249249u;
}
extern "C" __global__ void morton_codes(const float* __restrict__ x, const float* __restrict__ y,
                                        const float* __restrict__ z, unsigned* __restrict__ codes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) codes[i] = spread_bits(x[i]) * 4 + spread_bits(y[i]) * 2 + spread_bits(z[i]);
}
