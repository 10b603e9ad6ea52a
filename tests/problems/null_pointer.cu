/*
[kernel]
title = "A pointer that nobody set"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "0"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void null_pointer(float* out, const float* in) {
    const int i = threadIdx.x;
#if FIXED
    out[i] = in != nullptr ? in[i] : 0.0f;
#else
    out[i] = in[i];  // expect: out_of_bounds
#endif
}
