/*
[kernel]
title = "A grid that is larger than the buffer"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "200", fill = "iota" }
out = { type = "f32", length = "200", fill = "zero" }

[launch]
arguments = ["out", "in", "200"]
grid  = ["1"]
block = ["256"]
*/

extern "C" __global__ void past_the_end(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if FIXED
    if (i >= n) return;
#endif
    const float x = in[i];  // expect: out_of_bounds
    out[i] = 2.0f * x;  // expect: out_of_bounds
}
