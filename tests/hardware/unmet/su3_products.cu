/*
[kernel]
title   = "Products of 3 x 3 complex matrices on a lattice: 36 threads per site, one for each element of four directions"

[parameters]
sites = { default = 16384 }

[buffers]
a = { type = "f32", length = "sites * 72", fill = "random", seed = "1311" }
b = { type = "f32", length = "72", fill = "random", seed = "1312" }
c = { type = "f32", length = "sites * 72", fill = "zero" }

[launch]
arguments = ["a", "b", "c", "sites"]
grid  = ["sites * 36 // 128"]
block = ["128"]
*/
extern "C" __global__ void su3_products(const float2* __restrict__ a, const float2* __restrict__ b, float2* __restrict__ c,
                                        int sites) {
    const int i = blockIdx.x * 128 + threadIdx.x, site = i / 36;
    if (site >= sites) return;
    const int direction = i % 36 / 9, row = i % 9 / 3, column = i % 3;
    float2 sum = {0, 0};
    for (int k = 0; k < 3; ++k) {
        const float2 x = a[site * 36 + direction * 9 + row * 3 + k], y = b[direction * 9 + k * 3 + column];
        sum.x += x.x * y.x - x.y * y.y;
        sum.y += x.x * y.y + x.y * y.x;
    }
    c[i] = sum;
}
