/*
[kernel]
title   = "Pixels compressed to DXT1: 16 threads per block of 4 x 4, ends along the longest axis by power iteration, two bits for each pixel"

[parameters]
width = { default = 1024 }
height = { default = 528 }

[buffers]
image = { type = "u32", length = "width * height", fill = "random", seed = "1404", below = "16777216" }
packed = { type = "u32", length = "width * height // 8", fill = "zero" }

[launch]
arguments = ["image", "packed", "width"]
grid  = ["width // 4 * (height // 4) // 8"]
block = ["128"]
*/
__device__ inline float sum_of_16(float v) {
    for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}
__device__ inline unsigned to_565(float r, float g, float b) {
    return unsigned(__saturatef(r) * 31 + 0.5f) << 11 | unsigned(__saturatef(g) * 63 + 0.5f) << 5 | unsigned(__saturatef(b) * 31 + 0.5f);
}
extern "C" __global__ void dxt_blocks(const unsigned* __restrict__ image, uint2* __restrict__ packed, int width) {
    const int block = blockIdx.x * 8 + threadIdx.x / 16, pixel = threadIdx.x % 16, across = width / 4;
    const unsigned word = image[(block / across * 4 + pixel / 4) * width + block % across * 4 + pixel % 4];
    const float r = (word & 255) / 255.f, g = (word >> 8 & 255) / 255.f, b = (word >> 16 & 255) / 255.f;
    const float mr = sum_of_16(r) / 16, mg = sum_of_16(g) / 16, mb = sum_of_16(b) / 16;
    const float dr = r - mr, dg = g - mg, db = b - mb;
    const float rr = sum_of_16(dr * dr), rg = sum_of_16(dr * dg), rb = sum_of_16(dr * db);
    const float gg = sum_of_16(dg * dg), gb = sum_of_16(dg * db), bb = sum_of_16(db * db);
    float vr = 1, vg = 1, vb = 1;
    for (int i = 0; i < 8; ++i) {
        const float x = vr * rr + vg * rg + vb * rb, y = vr * rg + vg * gg + vb * gb, z = vr * rb + vg * gb + vb * bb;
        const float scale = 1 / fmaxf(fmaxf(fabsf(x), fabsf(y)), fmaxf(fabsf(z), 1e-6f));
        vr = x * scale;
        vg = y * scale;
        vb = z * scale;
    }
    const float along = (dr * vr + dg * vg + db * vb) / (vr * vr + vg * vg + vb * vb);
    float low = along, high = along;
    for (int d = 8; d > 0; d /= 2) {
        low = fminf(low, __shfl_xor_sync(0xffffffffu, low, d));
        high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, d));
    }
    const int step = high > low ? min(3, int((along - low) / (high - low) * 3 + 0.5f)) : 0;
    const unsigned order = 0x2d >> 2 * step & 3;
    unsigned bits = order << 2 * pixel;
    for (int d = 8; d > 0; d /= 2) bits |= __shfl_xor_sync(0xffffffffu, bits, d);
    if (pixel == 0)
        packed[block] = {to_565(mr + high * vr, mg + high * vg, mb + high * vb) | to_565(mr + low * vr, mg + low * vg, mb + low * vb) << 16, bits};
}
