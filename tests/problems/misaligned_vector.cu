/*
[kernel]
title = "A float4 from an odd float"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void misaligned_vector(float4* out, const float* in) {
    const int i = threadIdx.x;
#if FIXED
    const float* from = in + 4;
#else
    const float* from = in + 1;
#endif
    out[i] = *reinterpret_cast<const float4*>(from + 4 * i);  // expect: misaligned
}
