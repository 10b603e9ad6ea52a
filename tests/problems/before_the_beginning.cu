/*
[kernel]
title = "A neighbour to the left of the first element"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["256"]
*/

extern "C" __global__ void before_the_beginning(float* out, const float* in) {
    const int i = threadIdx.x;
#if FIXED
    const float left = i > 0 ? in[i - 1] : 0.0f;
#else
    const float left = in[i - 1];  // expect: out_of_bounds
#endif
    out[i] = left + in[i];
}
