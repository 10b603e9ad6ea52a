/*
[kernel]
title = "An atomic counter that starts at whatever was there"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
count = { type = "i32", length = "1", fill = "none" }
out = { type = "f32", length = "64", fill = "zero" }

[launch]
arguments = ["out", "count"]
grid  = ["1"]
block = ["64"]
*/

extern "C" __global__ void unwritten_counter(float* out, int* count) {
#if FIXED
    if (threadIdx.x == 0) *count = 0;
    __syncthreads();
#endif
    const int rank = atomicAdd(count, 1);  // expect: uninitialised_read
    out[rank & 63] = threadIdx.x;
}
