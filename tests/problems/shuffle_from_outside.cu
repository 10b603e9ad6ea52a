/*
[kernel]
title = "A shuffle reads a lane that its mask leaves out"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
out = { type = "f32", length = "256", fill = "zero" }

[launch]
arguments = ["out"]
grid  = ["1"]
block = ["32"]
*/

extern "C" __global__ void shuffle_from_outside(float* out) {
    float x = threadIdx.x;
    if (threadIdx.x < 16) {
#if FIXED
        x = __shfl_sync(0x0000ffffu, x, threadIdx.x ^ 1);
#else
        x = __shfl_sync(0x0000ffffu, x, threadIdx.x + 16);  // expect: absent_lane
#endif
    }
    out[threadIdx.x] = x;
}
