/*
[kernel]
title = "A reversal without a barrier"

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

extern "C" __global__ void race_missing_barrier(float* out, const float* in) {
    __shared__ float row[256];
    const int i = threadIdx.x;
    row[i] = in[i];  // expect: shared_race
#if FIXED
    __syncthreads();
#endif
    out[i] = row[255 - i];  // expect: shared_race uninitialised_read
}
