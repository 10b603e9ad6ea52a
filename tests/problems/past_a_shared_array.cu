/*
[kernel]
title = "A halo that the shared array has no room for"

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

#if FIXED
#define WORDS 258
#else
#define WORDS 256
#endif
extern "C" __global__ void past_a_shared_array(float* out, const float* in) {
    __shared__ float row[WORDS];
    const int i = threadIdx.x;
    row[i] = in[i];
    if (i < 2) row[256 + i] = 0.0f;  // expect: out_of_bounds
    __syncthreads();
    out[i] = row[i] + row[i + 2];  // expect: out_of_bounds
}
