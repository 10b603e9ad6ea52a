/*
[kernel]
title = "Two warps wait at two different __syncthreads()"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void barrier_by_warp(float* out) {
    if (threadIdx.x < 32) {
        out[threadIdx.x] = 1.0f;
#if !FIXED
        __syncthreads();  // expect: diverged_barrier
#endif
    } else {
        out[threadIdx.x] = 2.0f;
#if !FIXED
        __syncthreads();  // expect: diverged_barrier
#endif
    }
#if FIXED
    __syncthreads();
#endif
    out[threadIdx.x + 64] = 3.0f;
}
