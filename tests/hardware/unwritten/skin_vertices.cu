/*
[kernel]
title   = "Vertices of a figure moved by four of its bones each"

[parameters]
vertices = { default = 202752 }

[buffers]
positions = { type = "f32", length = "vertices * 3", fill = "random", seed = "1620" }
bones_of = { type = "u32", length = "vertices", fill = "formula", value = "(i // 40 * 16843009 + i % 7 * 66051) % 2147483647" }
shares = { type = "f32", length = "vertices * 4", fill = "random", seed = "1621" }
bones = { type = "f32", length = "128 * 12", fill = "random", seed = "1622" }
moved = { type = "f32", length = "vertices * 3", fill = "zero" }

[launch]
arguments = ["positions", "bones_of", "shares", "bones", "moved"]
grid  = ["vertices // 192"]
block = ["192"]
*/
extern "C" __global__ void skin_vertices(const float* __restrict__ positions, const unsigned* __restrict__ bones_of, const float4* __restrict__ shares,
                                         const float4* __restrict__ bones, float* __restrict__ moved) {
    const int i = blockIdx.x * 192 + threadIdx.x;
    const float x = positions[3 * i], y = positions[3 * i + 1], z = positions[3 * i + 2];
    const unsigned four = bones_of[i];
    const float4 share = shares[i];
    const float weight[4] = {share.x, share.y, share.z, share.w};
    float mx = 0, my = 0, mz = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const float4* bone = bones + (four >> (8 * k) & 127u) * 3;
        const float4 a = bone[0], b = bone[1], c = bone[2];
        mx += weight[k] * (a.x * x + a.y * y + a.z * z + a.w);
        my += weight[k] * (b.x * x + b.y * y + b.z * z + b.w);
        mz += weight[k] * (c.x * x + c.y * y + c.z * z + c.w);
    }
    moved[3 * i] = mx;
    moved[3 * i + 1] = my;
    moved[3 * i + 2] = mz;
}
