/*
[kernel]
title = "Dynamic shared memory given in elements, not in bytes"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["64"]
dynamic_shared_bytes = "64"
*/

extern "C" __global__ void too_little_dynamic_shared(float* out, const float* in) {
    extern __shared__ float row[];
    const int i = threadIdx.x;
#if FIXED
    if (i < 16) {
        row[i] = in[i];
        out[i] = row[i];
    }
#else
    row[i] = in[i];  // expect: out_of_bounds
    out[i] = row[i];
#endif
}
