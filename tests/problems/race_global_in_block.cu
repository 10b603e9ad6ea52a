/*
[kernel]
title = "Warps of a block hand over through device memory without a barrier"

[parameters]
FIXED = { default = 0, values = [0, 1], macro = true, help = "1: put right" }

[buffers]
scratch = { type = "f32", length = "128", fill = "zero" }
out = { type = "f32", length = "128", fill = "zero" }

[launch]
arguments = ["scratch", "out"]
grid  = ["2"]
block = ["64"]
*/

extern "C" __global__ void race_global_in_block(float* scratch, float* out) {
    const int base = blockIdx.x * 64, i = threadIdx.x;
    scratch[base + i] = i;  // expect: global_race
#if FIXED
    __syncthreads();
#endif
    out[base + i] = scratch[base + 63 - i];  // expect: global_race
}
