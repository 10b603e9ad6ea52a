/*
[kernel]
title   = "The hops of Wilson's fermions on a lattice: the spinor of each of eight neighbours times a unitary matrix of the link to it"

[parameters]
edge = { default = 12 }

[buffers]
links = { type = "f32", length = "edge * edge * edge * edge * 72", fill = "random", seed = "2651" }
spinors = { type = "f32", length = "edge * edge * edge * edge * 24", fill = "random", seed = "2652" }
out = { type = "f32", length = "edge * edge * edge * edge * 24", fill = "zero" }

[launch]
arguments = ["links", "spinors", "out", "edge"]
grid  = ["edge * edge * edge * edge // 64"]
block = ["64"]
*/
extern "C" __global__ void wilson_hops(const float2* __restrict__ links, const float2* __restrict__ spinors, float2* __restrict__ out, int edge) {
    const int sites = edge * edge * edge * edge, site = blockIdx.x * 64 + threadIdx.x;
    float2 sum[12];
#pragma unroll
    for (int k = 0; k < 12; ++k) sum[k] = make_float2(0, 0);
    int stride = 1;
#pragma unroll 1
    for (int axis = 0; axis < 4; ++axis, stride *= edge) {
        const int place = site / stride % edge;
        const int ahead = site + (place + 1 < edge ? stride : stride * (1 - edge)), behind = site - (place > 0 ? stride : stride * (1 - edge));
#pragma unroll
        for (int way = 0; way < 2; ++way) {
            const int from = way == 0 ? ahead : behind, of = way == 0 ? site : behind;
            const float sign = way == 0 ? 1 : -1;
            float2 half[6];
#pragma unroll
            for (int colour = 0; colour < 3; ++colour)
#pragma unroll
                for (int spin = 0; spin < 2; ++spin) {
                    const float2 u = spinors[(spin * 3 + colour) * sites + from], v = spinors[((3 - spin) * 3 + colour) * sites + from];
                    half[spin * 3 + colour] = make_float2(u.x + sign * v.y, u.y - sign * v.x);
                }
#pragma unroll
            for (int row = 0; row < 3; ++row) {
                float2 one = make_float2(0, 0), two = make_float2(0, 0);
#pragma unroll
                for (int column = 0; column < 3; ++column) {
                    float2 u = links[(axis * 9 + (way == 0 ? row * 3 + column : column * 3 + row)) * sites + of];
                    if (way == 1) u.y = -u.y;
                    one.x += u.x * half[column].x - u.y * half[column].y;
                    one.y += u.x * half[column].y + u.y * half[column].x;
                    two.x += u.x * half[3 + column].x - u.y * half[3 + column].y;
                    two.y += u.x * half[3 + column].y + u.y * half[3 + column].x;
                }
                sum[row].x += one.x, sum[row].y += one.y;
                sum[3 + row].x += two.x, sum[3 + row].y += two.y;
                sum[6 + row].x -= sign * two.y, sum[6 + row].y += sign * two.x;
                sum[9 + row].x -= sign * one.y, sum[9 + row].y += sign * one.x;
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 12; ++k) out[k * sites + site] = sum[k];
}
