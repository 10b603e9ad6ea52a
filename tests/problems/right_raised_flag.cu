/*
[kernel]
title = "Many threads raise one flag to the same value"

[buffers]
in = { type = "f32", length = "256", fill = "iota" }
out = { type = "i32", length = "256", fill = "zero" }

[launch]
arguments = ["out", "in"]
grid  = ["1"]
block = ["256"]
*/

extern "C" __global__ void right_raised_flag(int* out, const float* in) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (in[threadIdx.x] > 100.0f) found = 1;
    __syncthreads();
    out[threadIdx.x] = found;
}
