/*
[kernel]
title = "A full-mask shuffle that half of the warp executes"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void shuffle_in_a_branch(float* out) {
    float x = threadIdx.x;
#if FIXED
    const float other = __shfl_xor_sync(0xffffffffu, x, 1);
    if (threadIdx.x < 16) x += other;
#else
    if (threadIdx.x < 16) x += __shfl_xor_sync(0xffffffffu, x, 1);  // expect: absent_lane
    else __syncthreads();
#endif
    out[threadIdx.x] = x;
}
