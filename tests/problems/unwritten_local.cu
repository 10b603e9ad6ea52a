/*
[kernel]
title = "A local array filled only in part"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in", "8"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void unwritten_local(float* out, const float* in, int n) {
    float window[16];
    for (int i = 0; i < n; ++i) window[(i * 5) & 15] = in[threadIdx.x + i];
    float sum = 0.0f;
#if FIXED
    for (int i = 0; i < n; ++i) sum += window[(i * 5) & 15];
#else
#pragma unroll 1
    for (int i = 0; i < 2 * n; ++i) sum += window[i & 15];  // expect: uninitialised_read
#endif
    out[threadIdx.x] = sum;
}
