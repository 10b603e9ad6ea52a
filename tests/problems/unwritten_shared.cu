/*
[kernel]
title = "Shared memory is not zero by itself"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void unwritten_shared(float* out, const float* in) {
    __shared__ float sums[64];
#if FIXED
    sums[threadIdx.x] = 0.0f;
#endif
    sums[threadIdx.x] += in[threadIdx.x];  // expect: uninitialised_read
    out[threadIdx.x] = sums[threadIdx.x];
}
