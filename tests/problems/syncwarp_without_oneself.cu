/*
[kernel]
title = "__syncwarp with the other half's mask"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void syncwarp_without_oneself(float* out) {
#if FIXED
    const unsigned mask = threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;
#else
    const unsigned mask = 0x0000ffffu;
#endif
    __syncwarp(mask);  // expect: absent_lane
    out[threadIdx.x] = 1.0f;
}
