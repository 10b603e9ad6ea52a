/*
[kernel]
title = "A scratch buffer that nobody filled"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
scratch = { type = "f32", length = "128", fill = "none" }
out = { type = "f32", length = "64", fill = "zero" }

[launch]
arguments = ["out", "scratch"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void unwritten_buffer(float* out, float* scratch) {
    const int i = threadIdx.x;
#if FIXED
    scratch[i] = 0.0f;
    scratch[i + 64] = 1.0f;
#else
    if (i % 2 == 0) scratch[i] = 1.0f;
#endif
    out[i] = scratch[i];  // expect: uninitialised_read
}
