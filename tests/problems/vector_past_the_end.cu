/*
[kernel]
title = "The last float4 reaches over the end"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "250", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void vector_past_the_end(float4* out, const float4* in) {
    const int i = threadIdx.x;
#if FIXED
    if (4 * i + 3 < 250) out[i] = in[i];
#else
    out[i] = in[i];  // expect: out_of_bounds
#endif
}
