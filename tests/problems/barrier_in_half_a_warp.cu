/*
[kernel]
title = "Half of a warp goes to another barrier"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void barrier_in_half_a_warp(float* out) {
#if FIXED
    if (threadIdx.x < 16) out[threadIdx.x] = 1.0f;
    __syncthreads();
#else
    if (threadIdx.x < 16) {
        out[threadIdx.x] = 1.0f;
        __syncthreads();  // expect: diverged_barrier
    }
#endif
    out[threadIdx.x + 32] = 2.0f;
    __syncthreads();  // expect: diverged_barrier
    out[threadIdx.x + 64] = 3.0f;
}
